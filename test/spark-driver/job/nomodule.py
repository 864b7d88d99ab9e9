"""A job whose image lacks a module."""
import pyarrow

print(pyarrow.__version__)
