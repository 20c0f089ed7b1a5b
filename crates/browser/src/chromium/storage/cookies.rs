//! Cookies of a context.

use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};

use crate::chromium::context::ContextShared;
use crate::{Cookie, Deadline, Error};

impl ContextShared {
    pub(super) async fn read_cookies(&self, deadline: Deadline) -> Result<Vec<Cookie>, Error> {
        let command = GetCookies { browser_context_id: self.id() };
        Ok(self.browser()?.send(command, deadline).await?.cookies)
    }

    pub(super) async fn put_cookies(&self, cookies: &[Cookie], deadline: Deadline) -> Result<(), Error> {
        if cookies.is_empty() {
            return Ok(());
        }
        let command = SetCookies { browser_context_id: self.id(), cookies };
        self.browser()?.send(command, deadline).await.map(drop)
    }
}

/// `Storage.getCookies`. The names of our [`Cookie`] are those of the protocol.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GetCookies<'a> {
    browser_context_id: &'a str,
}

#[derive(Debug, Deserialize)]
struct Cookies {
    cookies: Vec<Cookie>,
}

/// `Storage.setCookies`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SetCookies<'a> {
    browser_context_id: &'a str,
    cookies: &'a [Cookie],
}

#[derive(Debug, Deserialize)]
struct Put {}

impl Method for GetCookies<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Storage.getCookies")
    }
}

impl Command for GetCookies<'_> {
    type Response = Cookies;
}

impl Method for SetCookies<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Storage.setCookies")
    }
}

impl Command for SetCookies<'_> {
    type Response = Put;
}
