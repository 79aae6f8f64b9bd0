"""In: sessions to facts. A pipeline of small pure steps around the model and the write."""
