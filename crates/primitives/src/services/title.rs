//! The name of a session for people.

use std::sync::{Mutex, PoisonError};

/// The name of a session for people, if it was given one.
#[derive(Debug, Default)]
pub struct SessionTitle {
    title: Mutex<Option<String>>,
}

impl SessionTitle {
    /// The name.
    pub fn get(&self) -> Option<String> {
        self.title.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, title: String) {
        *self.title.lock().unwrap_or_else(PoisonError::into_inner) = Some(title);
    }
}
