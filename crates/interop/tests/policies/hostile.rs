//! Sites that mean harm: each ends with a coded error, or with nothing found, within the time limit.

use std::io::Write;
use std::time::{Duration, Instant};

use actions_engine::ErrorCode;
use actions_interop::a2wf::{ObtainOptions, State, obtain};
use actions_interop::discover::{DiscoverOptions, Status, discover};
use actions_interop::fetch::{FetchError, Request};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::AsyncWriteExt;
use url::Url;

use crate::raw::{RawServer, respond};
use crate::site::{bounds, client};

/// How long a single request may take here, on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// The error of a request to a server.
async fn error_of(server: &RawServer) -> FetchError {
    let url: Url = format!("{}/siteai.json", server.origin).parse().expect("an address");
    let begun = Instant::now();
    let error = client().send(Request::get(url).bounds(bounds())).await.expect_err("an error");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    error
}

#[tokio::test]
async fn an_endless_body_is_cut_off_at_its_bound() {
    let server = RawServer::start(|mut stream, _| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").await?;
        loop {
            stream.write_all(&[b' '; 8 << 10]).await?;
        }
    })
    .await;
    let error = error_of(&server).await;
    assert!(matches!(error, FetchError::TooLarge { limit, .. } if limit == 1 << 20), "{error:?}");
    assert_eq!(error.code(), ErrorCode::RemoteError);
}

#[tokio::test]
async fn a_manifest_over_one_mebibyte_is_refused() {
    let server = RawServer::start(|mut stream, _| async move {
        respond(&mut stream, "200 OK", "", &vec![b'x'; (1 << 20) + 1]).await
    })
    .await;
    assert!(matches!(error_of(&server).await, FetchError::TooLarge { .. }));
}

#[tokio::test]
async fn slow_headers_end_with_the_time_of_the_request() {
    let server = RawServer::start(|mut stream, _| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            stream.write_all(b"x: y\r\n").await?;
        }
    })
    .await;
    let error = error_of(&server).await;
    // The limit of the library on headers may come first.
    let is_coded = matches!(error.code(), ErrorCode::HandlerTimeout | ErrorCode::TransportFailed);
    assert!(is_coded, "{error:?}");
}

#[tokio::test]
async fn a_slow_body_ends_with_the_time_of_the_request() {
    let server = RawServer::start(|mut stream, _| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await?;
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            stream.write_all(b" ").await?;
        }
    })
    .await;
    assert!(matches!(error_of(&server).await, FetchError::TimedOut { .. }));
}

#[tokio::test]
async fn redirects_that_go_in_a_circle_end() {
    let server = RawServer::start(|mut stream, path| async move {
        let to = if path == "/a" { "/b" } else { "/a" };
        respond(&mut stream, "302 Found", &format!("location: {to}\r\n"), b"").await
    })
    .await;
    assert!(matches!(error_of(&server).await, FetchError::TooManyRedirects { limit: 5, .. }));
}

#[tokio::test]
async fn a_compressed_bomb_is_cut_off_by_what_comes_out() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; 64 << 20]).unwrap();
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1 << 17);
    let server = RawServer::start(move |mut stream, _| {
        let bomb = bomb.clone();
        async move { respond(&mut stream, "200 OK", "content-encoding: gzip\r\n", &bomb).await }
    })
    .await;
    assert!(matches!(error_of(&server).await, FetchError::TooLarge { .. }));
}

#[tokio::test]
async fn what_is_not_http_is_a_transport_failure() {
    let server = RawServer::start(|mut stream, _| async move {
        stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await?;
        stream.shutdown().await
    })
    .await;
    assert_eq!(error_of(&server).await.code(), ErrorCode::TransportFailed);
}

/// JSON that is dangerous to read in one way or another.
fn json_bombs() -> Vec<(&'static str, String)> {
    let many = (0..100_000).map(|number| format!("\"k{number}\":{{\"allowed\":true}}"));
    let many = many.collect::<Vec<_>>().join(",");
    vec![
        ("deep arrays", "[".repeat(500_000)),
        ("deep objects", "{\"a\":".repeat(200_000)),
        (
            "many keys",
            format!("{{\"specVersion\":\"1.0\",\"permissions\":{{\"action\":{{{}}}}}}}", &many[..900_000]),
        ),
        ("a long number", format!("{{\"specVersion\":{}}}", "9".repeat(500_000))),
        ("half a text", "{\"specVersion\":\"1.".to_owned()),
        ("nothing", String::new()),
        ("null", "null".to_owned()),
        ("not UTF-8 in spirit", "{\"specVersion\":\"\\ud800\"}".to_owned()),
    ]
}

#[tokio::test]
async fn a_json_bomb_is_an_invalid_policy_and_nothing_more() {
    for (name, text) in json_bombs() {
        let server = RawServer::start(move |mut stream, path| {
            let text = text.clone();
            async move {
                match path.as_str() {
                    "/siteai.json" => respond(&mut stream, "200 OK", "", text.as_bytes()).await,
                    _ => respond(&mut stream, "404 Not Found", "", b"").await,
                }
            }
        })
        .await;
        let begun = Instant::now();
        let found = Box::pin(obtain(&client(), &server.origin, ObtainOptions::default())).await;
        assert_eq!(found.state, State::Invalid, "{name}: {:?}", found.reason);
        assert!(begun.elapsed() < SOON, "{name}: {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_policy_that_is_too_large_is_invalid() {
    let server = RawServer::start(|mut stream, _| async move {
        respond(&mut stream, "200 OK", "", &vec![b' '; 2 << 20]).await
    })
    .await;
    let found = Box::pin(obtain(&client(), &server.origin, ObtainOptions::default())).await;
    assert_eq!(found.state, State::Invalid);
}

#[tokio::test]
async fn a_wrong_content_type_is_tolerated_because_content_decides() {
    let server = RawServer::start(|mut stream, path| async move {
        let body = br#"{"awp_version":"0.2","domain":"site.example","intent":"x","actions":[]}"#;
        match path.as_str() {
            "/agent.json" => respond(&mut stream, "200 OK", "content-type: image/png\r\n", body).await,
            _ => respond(&mut stream, "404 Not Found", "", b"").await,
        }
    })
    .await;
    let site: Url = server.origin.parse().unwrap();
    let found = Box::pin(discover(&client(), &site, &DiscoverOptions::default())).await;
    let row = found.artefacts.iter().find(|one| one.url.ends_with("/agent.json")).unwrap();
    assert_eq!(row.status, Status::Ok);
    assert_eq!(row.warnings, ["it does not come as application/json"]);
}

#[tokio::test]
async fn one_place_that_hangs_does_not_hide_the_others() {
    let server = RawServer::start(|mut stream, path| async move {
        let body = br#"{"version":"1.0","name":"x","actions":[{"id":"a","path":"/a","method":"GET"}]}"#;
        match path.as_str() {
            "/.well-known/ai-actions.json" => respond(&mut stream, "200 OK", "", body).await,
            "/agent-bridge.json" => std::future::pending().await,
            _ => respond(&mut stream, "404 Not Found", "", b"").await,
        }
    })
    .await;
    let site: Url = server.origin.parse().unwrap();
    let begun = Instant::now();
    let found = Box::pin(discover(&client(), &site, &DiscoverOptions::default())).await;
    assert!(begun.elapsed() < SOON);
    let status = |end: &str| found.artefacts.iter().find(|one| one.url.ends_with(end)).map(|one| one.status);
    assert_eq!(status("/.well-known/ai-actions.json"), Some(Status::Ok));
    assert_eq!(status("/agent-bridge.json"), Some(Status::Unreachable));
    assert!(found.is_usable());
}

#[tokio::test]
async fn a_redirect_to_another_origin_never_carries_credentials() {
    let elsewhere = actions_testserver::TestServer::start().await.unwrap();
    elsewhere.route("/taken", |_| actions_testserver::Response::json("{}"));
    let to = elsewhere.url("/taken");
    let server = RawServer::start(move |mut stream, path| {
        let location = match path.as_str() {
            "/start" => "location: /next\r\n".to_owned(),
            _ => format!("location: {to}\r\n"),
        };
        async move { respond(&mut stream, "307 Temporary Redirect", &location, b"").await }
    })
    .await;
    let url: Url = format!("{}/start", server.origin).parse().unwrap();
    let request =
        Request::get(url.clone()).credential("authorization", "Bearer secret").header("x-api-key", "secret");
    client().send(request.clone()).await.unwrap();
    let served = elsewhere.served();
    let names: Vec<&str> = served[0].request.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert!(!names.contains(&"authorization") && !names.contains(&"x-api-key"), "{names:?}");
    let posting = Request { method: "POST".to_owned(), ..request.body("card=1") };
    let error = client().send(posting).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::CrossOriginDenied);
    assert_eq!(elsewhere.served().len(), 1, "the body was not sent");
}
