"""The pages: what people read on their phones."""
