//! Native functions, operators, casts and aggregates, computed on the bytes of values.
