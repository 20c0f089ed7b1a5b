//! Sends the requests of `http.request`: with stored credentials, to the origins of the call alone.

mod caller;
mod key;
mod renewal;
mod replayed;

pub use caller::DirectCaller;
pub use replayed::ReplayCaller;
