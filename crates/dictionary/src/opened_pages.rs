//! What the engine adds to the output of a primitive that made the page open other pages.

/// The output field that lists the pages which the page opened while the primitive ran, each with its `page` number, its
/// `runtime_id` and its `url`. Any input may make a page open another one, so no schema declares it. It is absent if none
/// was opened.
pub const OPENED_PAGES: &str = "opened_pages";
