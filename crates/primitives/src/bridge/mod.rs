//! Primitives for the bridge that serves the session.

pub(crate) mod payloads {
    pub(crate) mod configure;
}
