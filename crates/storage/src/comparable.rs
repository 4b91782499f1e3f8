//! Values as bytes whose plain order is the order of their type.
