//! A future for the response to a command that was sent.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use chromiumoxide_types::MethodId;
use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::connection::Connection;
use crate::json::from_json;
use crate::{Awaited, Deadline, Error};

/// The pending response to a command. The command has been sent; dropping this only ignores the response.
#[must_use = "the command is sent, but its outcome is ignored unless this is awaited"]
pub struct Pending<T> {
    call: Option<Call>,
    method: MethodId,
    deadline: Deadline,
    answer: oneshot::Receiver<Result<Box<RawValue>, Error>>,
    expired: BoxFuture<'static, ()>,
    kind: PhantomData<fn() -> T>,
}

/// The entry of a call in the connection's table. Dropping it removes the entry.
struct Call {
    id: u64,
    connection: Connection,
}

impl Drop for Call {
    fn drop(&mut self) {
        self.connection.forget(self.id);
    }
}

impl<T> Pending<T> {
    pub(super) fn new(
        connection: &Connection,
        id: u64,
        method: MethodId,
        deadline: Deadline,
        answer: oneshot::Receiver<Result<Box<RawValue>, Error>>,
    ) -> Self {
        Self {
            call: Some(Call { id, connection: connection.clone() }),
            method,
            deadline,
            answer,
            expired: connection.clock().sleep_until(deadline.at()),
            kind: PhantomData,
        }
    }

    /// The same response, without its content.
    pub(crate) fn without_content<U>(self) -> Pending<U> {
        let Self { call, method, deadline, answer, expired, kind: _ } = self;
        Pending { call, method, deadline, answer, expired, kind: PhantomData }
    }

    /// The method that was called.
    pub fn method(&self) -> &str {
        &self.method
    }
}

impl<T: DeserializeOwned> Future for Pending<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Poll::Ready(answer) = Pin::new(&mut this.answer).poll(cx) {
            this.call = None;
            let answer = answer.unwrap_or_else(|_| {
                Err(Error::BrowserLost { reason: "the connection was dropped".to_owned() })
            })?;
            return Poll::Ready(from_json(answer.get()).map_err(|error| Error::AnswerUnreadable {
                method: this.method.to_string(),
                detail: error.to_string(),
            }));
        }
        if this.expired.as_mut().poll(cx).is_ready() {
            this.call = None;
            return Poll::Ready(Err(Error::Timeout {
                waited_for: Awaited::Answer { method: this.method.to_string() },
                limit: this.deadline.limit(),
                saw: None,
            }));
        }
        Poll::Pending
    }
}
