"""The pages, one folder a feature: routes parse and hand over, presenters turn a state into a view."""
