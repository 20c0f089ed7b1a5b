//! An address that refuses connections.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A reserved port of the loopback interface without a listener: connecting to it fails at once.
pub(crate) struct DeadEnd {
    address: SocketAddr,
    _reserved: TcpSocket,
}

impl DeadEnd {
    pub(crate) fn new() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self { address: socket.local_addr()?, _reserved: socket })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connecting_to_a_dead_end_fails_at_once() {
        let end = DeadEnd::new().unwrap();
        let error = tokio::net::TcpStream::connect(end.address()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    }
}
