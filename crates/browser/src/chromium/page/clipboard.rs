//! Lets a page use the clipboard.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::browser::{
    PermissionDescriptor, PermissionSetting, SetPermissionParams,
};

use super::ChromiumPage;
use crate::{Clipboard, Deadline, Error, Frames, origin_of};

/// The permissions that reading and writing need.
const NEEDED: [&str; 2] = ["clipboard-read", "clipboard-write"];

#[async_trait]
impl Clipboard for ChromiumPage {
    async fn permit_clipboard(&self, permitted: bool, deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        let (Some(context), Some(origin)) = (self.context.upgrade(), origin_of(&self.url())) else {
            return Ok(());
        };
        let setting = if permitted { PermissionSetting::Granted } else { PermissionSetting::Prompt };
        let browser = context.browser()?;
        let commands = NEEDED.map(|name| SetPermissionParams {
            origin: Some(origin.clone()),
            browser_context_id: Some(context.id().to_owned().into()),
            ..SetPermissionParams::new(PermissionDescriptor::new(name), setting.clone())
        });
        for command in commands {
            self.answer(browser.send(command, deadline)).await?;
        }
        Ok(())
    }
}
