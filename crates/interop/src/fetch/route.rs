//! Where redirects may go, and which hosts are this machine or its network.

use std::net::{IpAddr, Ipv6Addr};

use url::{Host, Url};

use super::error::FetchError;

/// Whether an address means this machine: `localhost`, a name below it, or a loopback address.
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => unmapped(address).is_loopback(),
        None => false,
    }
}

/// Whether an address is written as one of this machine or of its own network.
fn is_near(url: &Url) -> bool {
    is_local(url)
        || match url.host() {
            Some(Host::Ipv4(address)) => is_near_address(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => is_near_address(unmapped(address)),
            _ => false,
        }
}

fn is_near_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || address.is_broadcast()
        }
        IpAddr::V6(address) => {
            let first = address.segments()[0];
            let (is_unique_local, is_link_local) = (first & 0xfe00 == 0xfc00, first & 0xffc0 == 0xfe80);
            address.is_loopback() || address.is_unspecified() || is_unique_local || is_link_local
        }
    }
}

/// An IPv4 address that is written as one of IPv6 is what it is.
fn unmapped(address: Ipv6Addr) -> IpAddr {
    address.to_ipv4_mapped().map_or(IpAddr::V6(address), IpAddr::V4)
}

/// Whether a redirect may be followed. It leads to the web, does not give up TLS, and does not lead from a site elsewhere
/// into this machine or its network.
pub(super) fn check(from: &Url, to: &Url) -> Result<(), FetchError> {
    let refused = |reason| {
        let (origin, to) = (origin(from), short(to.as_str()));
        Err(FetchError::BadRedirect { origin, to, reason })
    };
    if !matches!(to.scheme(), "http" | "https") || to.host().is_none() {
        return refused("that is not an address of the web");
    }
    if from.scheme() == "https" && to.scheme() == "http" {
        return refused("that gives up TLS");
    }
    if is_near(to) && !is_near(from) {
        return refused("that is an address of this machine or its network");
    }
    Ok(())
}

/// The origin of an address, for people.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The beginning of a text that a site chose.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect("an address")
    }

    #[test]
    fn this_machine_has_several_names() {
        for near in ["http://localhost", "http://a.localhost:1", "http://127.8.0.1", "http://[::1]:80"] {
            assert!(is_local(&url(near)), "{near}");
        }
        for far in ["http://example.com", "http://10.0.0.1", "http://localhost.example.com"] {
            assert!(!is_local(&url(far)), "{far}");
        }
    }

    #[test]
    fn a_redirect_from_elsewhere_does_not_enter_this_network() {
        for near in [
            "http://127.0.0.1",
            "http://localhost:9222",
            "http://10.1.2.3",
            "http://192.168.0.1",
            "http://169.254.169.254/latest",
            "http://[fd00::1]",
            "http://[::ffff:127.0.0.1]",
            "http://0.0.0.0",
        ] {
            assert!(check(&url("http://example.com"), &url(near)).is_err(), "{near}");
            assert!(check(&url("http://127.0.0.1:1"), &url(near)).is_ok(), "{near}");
        }
    }

    #[test]
    fn a_redirect_keeps_tls_and_stays_on_the_web() {
        assert!(check(&url("https://a.example"), &url("http://a.example")).is_err());
        assert!(check(&url("https://a.example"), &url("ftp://a.example")).is_err());
        assert!(check(&url("http://a.example"), &url("https://b.example")).is_ok());
    }
}
