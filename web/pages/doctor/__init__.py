"""Health: the doctor's page, liveness and metrics."""
