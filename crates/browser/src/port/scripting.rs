//! Running functions in a page: those of the page script, and the page's own.

use async_trait::async_trait;
use serde_json::Value;

use super::{Call, HeardEvent, Offer};
use crate::{Deadline, Error};

/// Running functions in a page: those of the page script, and the page's own.
///
/// The page script lives in an isolated world that the page cannot see. Arguments always travel as JSON; they never
/// become source text.
#[async_trait]
pub trait Scripting: Send + Sync {
    /// Calls a function of the page script in a frame and returns its answer as JSON text. `call` on `dyn Page` also
    /// parses the answer.
    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error>;

    /// Calls a function of the page itself, found at a dotted path of its global object, with JSON arguments.
    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error>;

    /// Hears these events of the main document from now on, and no others: each becomes a
    /// [`PageEvent::Signal`](super::PageEvent::Signal), also in later documents. The page cannot see who listens, nor send
    /// a signal in another way than by the event itself.
    async fn hear(&self, heard: &[HeardEvent], deadline: Deadline) -> Result<(), Error>;

    /// Puts functions into the main document, now and into later ones. What the page asks by them becomes
    /// [`PageEvent::Asked`](super::PageEvent::Asked).
    async fn offer(&self, offer: Offer, _deadline: Deadline) -> Result<(), Error> {
        Err(Error::PageFunctionMissing { path: offer.binding.to_owned() })
    }

    /// Evaluates source text in the page's own world. For debugging only: the text is code.
    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error>;
}
