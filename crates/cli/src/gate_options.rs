//! Options that decide who may connect to an address that a command serves.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use actions_doors::{Gate, Token};
use actions_engine::CallError;
use actions_protocol::ErrorCode;

use crate::live::origin;
use crate::output::note;
use crate::token_file;

/// Options that decide who may connect.
#[derive(Debug, clap::Args)]
pub(crate) struct GateOptions {
    /// File with the token that clients show; created if it does not exist. Without it, a token is made for this run
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<PathBuf>,
    /// Also answer requests for this host name; needed for an address that other machines reach
    #[arg(long, value_name = "HOST", requires = "listen")]
    allow_host: Vec<String>,
    /// Also let web pages of this origin connect
    #[arg(long, value_name = "ORIGIN", requires = "listen", value_parser = origin)]
    allow_page: Vec<String>,
}

impl GateOptions {
    /// The gate that these options describe, and the token if it has to be shown to people.
    pub(crate) fn gate(&self) -> Result<(Gate, Option<String>), CallError> {
        self.gate_of(token_file::token(self.token_file.as_deref())?)
    }

    /// The gate that these options describe, with a token that is known.
    pub(crate) fn gate_of(&self, token: Token) -> Result<(Gate, Option<String>), CallError> {
        let shown = self.token_file.is_none().then(|| token.as_str().to_owned());
        let gate = Gate::new(token)
            .hosts(self.allow_host.iter().cloned())
            .origins(self.allow_page.iter().cloned())
            .reporting(Arc::new(|line: &str| note(line)));
        Ok((gate, shown))
    }

    /// The hosts, the origins and the token of these options, for protocols that check tokens by themselves. The flag says
    /// whether the token has to be shown to people.
    pub(crate) fn parts(&self) -> Result<(Token, bool, &[String]), CallError> {
        let token = token_file::token(self.token_file.as_deref())?;
        Ok((token, self.token_file.is_none(), &self.allow_page))
    }

    /// Refuses an address that other machines reach, unless the host by which they reach it is named.
    pub(crate) fn check_reach(&self, address: Option<SocketAddr>) -> Result<(), CallError> {
        let is_far = address.is_some_and(|address| !address.ip().is_loopback());
        if !is_far || !self.allow_host.is_empty() {
            return Ok(());
        }
        let message = "other machines can reach this address, and items are not encrypted";
        Err(CallError::new(ErrorCode::WrongUsage, message).with_evidence(
            "hint",
            "listen at 127.0.0.1, or name the host by which clients reach the address with `--allow-host`",
        ))
    }
}

/// Parses an address, such as `127.0.0.1:0` or `localhost:8123`.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = numeric.as_deref().unwrap_or(text).parse();
    parsed.map_err(|_| format!("`{text}` is not an address with a port; write 127.0.0.1:0 or [::1]:8123"))
}

/// The error of an address that cannot be listened at.
pub(crate) fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> CallError {
    CallError::new(ErrorCode::TransportFailed, format!("cannot listen at {address}: {error}"))
        .with_evidence("hint", "choose another port, or port 0 to have one picked")
}
