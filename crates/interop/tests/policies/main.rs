//! Policies of sites: read, found, decided and obeyed; and what sites that mean harm can do.

mod decisions;
mod discovery;
mod documents;
mod gate;
mod hostile;
mod property;
mod raw;
mod requirements;
mod serving;
mod site;
