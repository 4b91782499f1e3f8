//! [`named_enum!`](crate::named_enum): enums of constants with names.

/// Defines an enum from a table: on each line a constant, its number if it has one, and its name.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $($(#[$constant_meta:meta])* $constant:ident $(= $number:literal)? => $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        pub enum $enum {
            $(
                $(#[$constant_meta])*
                #[doc = concat!("`", $name, "`")]
                $constant $(= $number)?,
            )+
        }

        impl $enum {
            /// All of them, in the order of their definition.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$constant,)+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$constant => $name,)+ }
            }
        }
    };
}
