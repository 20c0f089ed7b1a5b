//! A proxy.

/// A proxy for the browser's traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// The proxy as Chromium understands it, such as `http://127.0.0.1:8080` or `socks5://host:1080`.
    pub server: String,
    /// Hosts that are reached directly, in Chromium's syntax; `<-loopback>` sends even loopback through the proxy.
    pub bypass: Option<String>,
}

impl Proxy {
    /// The hosts of the proxy; Chromium takes several, each for a scheme of its own (`http=one:80;https=two:81`).
    pub(crate) fn hosts(&self) -> impl Iterator<Item = &str> {
        self.server.split([';', ',']).map(|one| {
            let one = one.rsplit_once('=').map_or(one, |(_, server)| server).trim();
            let place = one.split_once("://").map_or(one, |(_, place)| place);
            let bare = place.ends_with(']') || !place.contains(':');
            if bare { place } else { place.rsplit_once(':').map_or(place, |(host, _)| host) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_of_a_proxy_are_read_from_every_form_of_it() {
        for (server, hosts) in [
            ("http://proxy.test:8080", vec!["proxy.test"]),
            ("proxy.test", vec!["proxy.test"]),
            ("socks5://[::1]:1080", vec!["[::1]"]),
            ("http=one.test:80;https=two.test:81", vec!["one.test", "two.test"]),
        ] {
            let proxy = Proxy { server: server.to_owned(), bypass: None };
            assert_eq!(proxy.hosts().collect::<Vec<_>>(), hosts, "{server}");
        }
    }
}
