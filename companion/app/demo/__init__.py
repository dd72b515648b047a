"""The demo: a simulated table, real vision, real panel code on simulated pins, and a thread that helps."""
