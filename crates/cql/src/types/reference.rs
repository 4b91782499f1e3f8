//! References to types inside a type, and their replacement.

use std::sync::Arc;

use super::{NativeType, Type, UserType};

impl Type {
    /// Whether the user type with that name occurs in this type. Like Cassandra, it does not look
    /// into vectors.
    pub fn has_user_type(&self, name: &str) -> bool {
        match self {
            Self::Vector(..) => false,
            Self::User(user, _) if &*user.name == name => true,
            _ => self.parts().into_iter().any(|part| part.has_user_type(name)),
        }
    }

    /// Whether a duration occurs in this type. Like Cassandra, it does not look into sets, map keys
    /// and vectors.
    pub fn has_duration(&self) -> bool {
        match self {
            Self::Native(native) => *native == NativeType::Duration,
            Self::Set(..) | Self::Vector(..) => false,
            Self::Map(entry, _) => entry.1.has_duration(),
            _ => self.parts().into_iter().any(Self::has_duration),
        }
    }

    /// The type with a new definition of a user type in place of the old one. Frozen types stay
    /// frozen.
    #[must_use]
    pub fn with_updated_user_type(&self, updated: &Arc<UserType>) -> Self {
        if !self.has_user_type(&updated.name) {
            return self.clone();
        }
        let replace = |ty: &Self| ty.with_updated_user_type(updated);
        match self {
            Self::Native(_) | Self::Custom(_) | Self::Vector(..) => self.clone(),
            Self::List(element, frozen) => Self::List(Arc::new(replace(element)), *frozen),
            Self::Set(element, frozen) => Self::Set(Arc::new(replace(element)), *frozen),
            Self::Map(entry, frozen) => {
                Self::Map(Arc::new((replace(&entry.0), replace(&entry.1))), *frozen)
            }
            Self::Tuple(types) => Self::Tuple(types.iter().map(replace).collect()),
            Self::User(user, frozen) if user.name == updated.name => {
                Self::User(updated.clone(), *frozen)
            }
            Self::User(user, frozen) => {
                let fields =
                    user.fields.iter().map(|(name, ty)| (name.clone(), replace(ty))).collect();
                let user =
                    UserType { keyspace: user.keyspace.clone(), name: user.name.clone(), fields };
                Self::User(Arc::new(user), *frozen)
            }
        }
    }
}
