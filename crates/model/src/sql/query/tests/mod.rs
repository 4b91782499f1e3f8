//! Queries and writes through the reader of model files.
