//! Storage state: cookies by the protocol, everything else by the page script in a document of its origin.

mod blank_page;
mod cookies;
mod read;
mod restore;
