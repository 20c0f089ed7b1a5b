//! The flights of an AWP site are searched and booked: by requests, with a dependency, a confirmation and credentials.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_engine::{Confirmation, Consent, ErrorCode, Session};
use actions_interop::credentials::{Credential, Credentials, Scheme, Secret};
use actions_interop::import::Wishes;
use actions_testserver::{Request, Response, TestServer};
use serde_json::{Value, json};

use crate::stage::{call, engine, json_of, served, session};

const TOKEN: &str = "a-token-of-the-traveller";

/// A server of the airline. Bookings need the token, and are made once per key.
async fn airline() -> TestServer {
    let server = TestServer::start().await.unwrap();
    let body = |request: &Request| serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
    server.route("/api/flights/search", move |request| {
        let asked = body(request);
        Response::json(
            json!({
                "flights": [{ "flight_number": "KA1", "origin": asked["origin"], "price": 12.5, "cabin_class": asked["cabin_class"] }],
                "search_token": "s-1",
            })
            .to_string(),
        )
    });
    let booked: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    server.route("/api/flights/book", move |request| {
        if request.header("authorization") != Some(&format!("Bearer {TOKEN}")) {
            return Response::json(json!({ "error": "AUTH_EXPIRED" }).to_string()).with_status(401);
        }
        let asked = body(request);
        if asked["search_token"] != "s-1" {
            return Response::json(json!({ "error": "SEAT_UNAVAILABLE" }).to_string()).with_status(409);
        }
        let key = asked["idempotency_key"].as_str().unwrap_or_default().to_owned();
        let first = booked.lock().unwrap().insert(key);
        // A careless site repeats the credentials that it was sent.
        let said = request.header("authorization").unwrap_or_default().to_owned();
        Response::json(json!({ "booking_id": if first { "B1" } else { "again" }, "debug": said }).to_string())
    });
    server.route("/api/auth/refresh", |request| match request.header("authorization") {
        Some("Bearer an-old-token") => Response::json(json!({ "access_token": TOKEN }).to_string()),
        _ => Response::status(403),
    });
    server
        .route("/api/reports", |_| Response::json(json!({ "job_id": "r1", "status": "queued" }).to_string()));
    let asked = Mutex::new(0);
    server.route("/api/reports/r1", move |_| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        Response::json(
            json!({ "status": if *asked > 1 { "completed" } else { "running" }, "pages": 3 }).to_string(),
        )
    });
    server.route("/api/holds/h1", |_| Response::status(204));
    server
}

/// The map of the airline, and a session on it.
async fn travelling(server: &TestServer, credentials: Credentials) -> Session {
    let mut document = json_of("awp/flights.json");
    document["domain"] = json!(server.origin());
    let imported = served(&document, &server.url("/agent.json"), &Wishes::default()).unwrap();
    session(&engine(&imported.map), &Arc::new(credentials))
}

fn token(secret: &str) -> Credential {
    Credential { scheme: Scheme::Bearer, secret: Secret::new(secret), header: None }
}

fn with_token(server: &TestServer, secret: &str) -> Credentials {
    let credentials = Credentials::in_memory();
    credentials.set(&server.origin(), "awp", token(secret)).unwrap();
    credentials
}

const SEARCH: &str = "a_127_0_0_1.search_flights";
const BOOK: &str = "a_127_0_0_1.book_flight";

fn query() -> Value {
    json!({ "origin": "VIE", "destination": "OSL", "date": "2026-12-01" })
}

fn seat() -> Value {
    json!({ "flight_number": "KA1", "search_token": "s-1" })
}

fn agreeing() -> Consent {
    Consent::default().confirming([BOOK.to_owned()])
}

#[tokio::test]
async fn a_flight_is_searched_and_then_booked_with_a_yes() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    let found = call(&session, SEARCH, query()).await.unwrap();
    assert_eq!(found["flights"][0]["cabin_class"], "economy", "the default of the document is sent: {found}");
    let booked = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap();
    assert_eq!(booked["booking_id"], "B1");
}

#[tokio::test]
async fn p13_booking_before_searching_is_refused_and_sends_nothing() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    let error = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::DependencyUnmet);
    assert_eq!(error.evidence["missing"], json!([SEARCH]));
    assert!(!error.mutated);
    assert!(server.served().is_empty());
    // A person who has searched elsewhere says so.
    session.assume_succeeded(SEARCH);
    call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap();
}

#[tokio::test]
async fn p13_a_search_that_failed_satisfies_nothing() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, json!({ "origin": "VIE" })).await.unwrap_err();
    let error = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::DependencyUnmet);
}

#[tokio::test]
async fn p11_a_general_yes_does_not_book() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    for consent in [Consent::default(), Consent::default().agreeing(true)] {
        let error = call(&session.consenting(consent), BOOK, seat()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ConfirmationRequired);
        assert_eq!(error.evidence["confirm"], "mandatory");
    }
    let refusing = Consent::default().asking(|_: Confirmation| async { false });
    let error = call(&session.consenting(refusing), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConfirmationRejected);
    let paths: Vec<String> = server.served().into_iter().map(|served| served.request.path).collect();
    assert_eq!(paths, ["/api/flights/search"], "nothing was booked");
}

#[tokio::test]
async fn p11_a_person_is_told_why_before_the_booking() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    let asked: Arc<Mutex<Vec<Confirmation>>> = Arc::default();
    let kept = Arc::clone(&asked);
    let agreeing = Consent::default().asking(move |confirmation: Confirmation| {
        kept.lock().unwrap().push(confirmation);
        async { true }
    });
    call(&session.consenting(agreeing), BOOK, seat()).await.unwrap();
    let asked = asked.lock().unwrap();
    assert!(asked[0].reason.as_deref().unwrap().contains("cannot be undone"));
    assert_eq!(*asked[0].input, seat());
}

#[tokio::test]
async fn a_call_without_credentials_is_refused_and_sends_nothing() {
    let server = airline().await;
    let session = travelling(&server, Credentials::in_memory()).await;
    call(&session, SEARCH, query()).await.unwrap();
    let error = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::AuthRequired, "{error:?}");
    assert!(server.served().iter().all(|served| served.request.path != "/api/flights/book"));
}

#[tokio::test]
async fn an_expired_token_is_renewed_where_the_document_says_and_the_booking_repeated_once() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, "an-old-token")).await;
    call(&session, SEARCH, query()).await.unwrap();
    let booked = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap();
    assert_eq!(booked["booking_id"], "B1");
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_has_expired() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, "a-stolen-token")).await;
    call(&session, SEARCH, query()).await.unwrap();
    let error = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::AuthExpired, "{error:?}");
    assert!(!format!("{error:?}").contains("a-stolen-token"));
}

#[tokio::test]
async fn a_token_that_the_site_repeats_does_not_reach_the_caller() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    let booked = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap();
    assert_eq!(booked["debug"], "Bearer [secret]");
}

#[tokio::test]
async fn an_error_of_the_site_says_its_code_and_its_recovery_as_data() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    let stale = json!({ "flight_number": "KA1", "search_token": "old" });
    let error = call(&session.consenting(agreeing()), BOOK, stale).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::RemoteError);
    assert_eq!(error.evidence["site_code"], "SEAT_UNAVAILABLE");
    assert_eq!(error.evidence["recovery"]["untrusted"], true);
}

#[tokio::test]
async fn work_that_goes_on_is_asked_for_until_it_ends() {
    let server = airline().await;
    let session = travelling(&server, Credentials::in_memory()).await;
    let begun = std::time::Instant::now();
    let report = call(&session, "a_127_0_0_1.booking_report", json!({ "booking_id": "B1" })).await.unwrap();
    assert_eq!(report["pages"], 3);
    assert!(begun.elapsed() >= Duration::from_secs(1), "it is not asked at once");
}

#[tokio::test]
async fn a_limit_of_the_document_is_kept_within_a_session() {
    let server = airline().await;
    let mut document = json_of("awp/flights.json");
    document["domain"] = json!(server.origin());
    document["actions"][0]["rate_limit"] = json!("2/hour");
    let imported = served(&document, &server.url("/agent.json"), &Wishes::default()).unwrap();
    let session = session(&engine(&imported.map), &Arc::new(Credentials::in_memory()));
    for _ in 0..2 {
        call(&session, SEARCH, query()).await.unwrap();
    }
    let error = call(&session, SEARCH, query()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::RateLimited);
    assert!(error.evidence["retry_after_ms"].as_u64().unwrap() > 3_000_000);
    assert_eq!(server.served().len(), 2);
}

#[tokio::test]
async fn a_degraded_action_runs_only_for_callers_who_accept_that() {
    let server = airline().await;
    let mut document = json_of("awp/flights.json");
    document["domain"] = json!(server.origin());
    document["agent_status"]["degraded_actions"] = json!(["search_flights"]);
    let imported = served(&document, &server.url("/agent.json"), &Wishes::default()).unwrap();
    let session = session(&engine(&imported.map), &Arc::new(Credentials::in_memory()));
    assert_eq!(call(&session, SEARCH, query()).await.unwrap_err().code, ErrorCode::ActionDegraded);
    call(&session.consenting(Consent::default().accepting_degraded(true)), SEARCH, query()).await.unwrap();
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed_and_carries_nothing() {
    let (server, other) = (airline().await, TestServer::start().await.unwrap());
    other.route("/steal", |_| Response::json("{}"));
    let to = other.url("/steal");
    server.route("/api/flights/book", move |_| Response::redirect(to.clone()).with_status(307));
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    let error = call(&session.consenting(agreeing()), BOOK, seat()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::CrossOriginDenied, "{error:?}");
    assert!(other.served().is_empty());
}

#[tokio::test]
async fn a_result_that_is_not_as_declared_is_an_event_and_with_strict_results_an_error() {
    let server = airline().await;
    server.route("/api/flights/search", |_| Response::json(r#"{ "flights": "none" }"#));
    for strict in [false, true] {
        let mut document = json_of("awp/flights.json");
        document["domain"] = json!(server.origin());
        let wishes = Wishes { strict_results: strict, ..Wishes::default() };
        let imported = served(&document, &server.url("/agent.json"), &wishes).unwrap();
        let session = session(&engine(&imported.map), &Arc::new(Credentials::in_memory()));
        let misfits = Mutex::new(0);
        let watch = |event: &actions_engine::RunEvent| {
            *misfits.lock().unwrap() +=
                usize::from(matches!(event.kind, actions_engine::EventKind::ResultMisfit { .. }));
        };
        let outcome = session.call(SEARCH).arguments(query()).observer(&watch).run().await;
        match strict {
            false => assert_eq!(
                (outcome.result.unwrap()["flights"].clone(), *misfits.lock().unwrap()),
                (json!("none"), 1)
            ),
            true => assert_eq!(outcome.result.unwrap_err().code, ErrorCode::InvalidResult),
        }
    }
}

#[tokio::test]
async fn a_response_of_a_hundred_kilobytes_is_a_result() {
    let server = airline().await;
    let long = json!({ "flights": [], "note": "x".repeat(100_000) }).to_string();
    server.route("/api/flights/search", move |_| Response::json(long.clone()));
    let session = travelling(&server, Credentials::in_memory()).await;
    let found = call(&session, SEARCH, query()).await.unwrap();
    assert_eq!(found["note"].as_str().map(str::len), Some(100_000));
}

#[tokio::test]
async fn a_hostile_server_costs_an_error_within_the_time_limit() {
    let server = airline().await;
    let session = travelling(&server, Credentials::in_memory()).await;
    let cases: [(Response, &[ErrorCode]); 5] = [
        (Response::hang(), &[ErrorCode::HandlerTimeout, ErrorCode::Timeout]),
        (Response::broken(), &[ErrorCode::TransportFailed]),
        (Response::json("x".repeat(3_000_000)), &[ErrorCode::PayloadTooLarge]),
        (Response::json("[".repeat(100_000)), &[ErrorCode::TransportFailed]),
        (Response::status(200).with_body("text/html", "x".repeat(300_000)), &[ErrorCode::PayloadTooLarge]),
    ];
    for (response, codes) in cases {
        let answer = response.clone();
        server.route("/api/flights/search", move |_| answer.clone());
        let begun = std::time::Instant::now();
        let called =
            session.call(SEARCH).arguments(query()).timeout(actions_engine::Millis(3_000)).run().await;
        let error = called.result.unwrap_err();
        assert!(codes.contains(&error.code), "{response:.40?}: {error:?}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}

#[tokio::test]
async fn credentials_are_in_no_event() {
    let server = airline().await;
    let session = travelling(&server, with_token(&server, TOKEN)).await;
    call(&session, SEARCH, query()).await.unwrap();
    let events: Mutex<String> = Mutex::default();
    let watch = |event: &actions_engine::RunEvent| {
        events.lock().unwrap().push_str(&serde_json::to_string(event).unwrap());
    };
    let session = session.consenting(agreeing());
    let outcome = session.call(BOOK).arguments(seat()).observer(&watch).run().await;
    outcome.result.unwrap();
    let events = events.lock().unwrap();
    assert!(events.contains("http.request") && !events.contains(TOKEN), "{events}");
}
