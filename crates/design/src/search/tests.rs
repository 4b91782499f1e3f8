//! Searches over small models.
