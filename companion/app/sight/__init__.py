"""How the table gets its eyes: the camera that looks, the thread that reads its pictures, and the marked corner."""
