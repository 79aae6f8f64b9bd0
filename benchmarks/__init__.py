"""Benchmarks: what generates the sets and measures the product. The library never imports this."""
