//! Functions that a page is given, and that ask their driver.

use serde_json::Value;

/// A script that puts functions into the page's own world, and the function by which it asks its driver.
#[derive(Clone, Debug)]
pub struct Offer {
    /// A function in the language of pages, called with `config` at the start of every document. It is source of this
    /// program and never of a page.
    pub script: &'static str,
    /// The name of the function that sends a text to the driver. The page can call it too.
    pub binding: &'static str,
    /// What the script is called with.
    pub config: Value,
}
