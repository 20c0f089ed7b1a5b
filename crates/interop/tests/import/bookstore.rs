//! The bookstore of an AWAS site is searched in its page, in Chromium.

use actions_engine::Session;
use actions_engine::browser::Browser;
use actions_engine::browser::chromium::{ChromiumBrowser, LaunchOptions, launch};
use actions_interop::import::Wishes;
use actions_testserver::{Request, Response, TestServer};
use serde_json::{Value, json};

use crate::stage::{call, engine, fixture, json_of, served};

/// A book: title, author, price, number.
type Book = (&'static str, &'static str, &'static str, &'static str);

const BOOKS: &[Book] = &[
    ("Night trams", "Ada Line", "$18.00", "978-1"),
    ("Paper boats", "Bo Fold", "$9.50", "978-2"),
    ("Slow rivers", "Cy Drift", "$21.00", "978-3"),
];

/// How many books a page of results shows.
const PER_PAGE: usize = 2;

fn page_of_results(request: &Request, template: &str) -> Response {
    let asked = request.parameter("q").unwrap_or_default().to_lowercase();
    let from: usize = request.parameter("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let mut found: Vec<&Book> =
        BOOKS.iter().filter(|book| !asked.is_empty() && book.0.to_lowercase().contains(&asked)).collect();
    if request.parameter("sort") == Some("price-low") {
        found.reverse();
    }
    let shown = found.iter().skip(from).take(PER_PAGE).map(|(title, author, price, isbn)| {
        let number =
            if *isbn == "978-2" { String::new() } else { format!("<span data-isbn=\"{isbn}\"></span>") };
        format!(
            "<div class=book-item><a href=\"/books/{isbn}\"><h3 class=book-title>{title}</h3></a>\
             <p class=book-author>{author}</p><span class=book-price>{price}</span>{number}</div>"
        )
    });
    let items: String = shown.collect();
    let next = match found.len() > from + PER_PAGE {
        true => format!("<a class=next-page href=\"/search?q={asked}&from={}\">Next</a>", from + PER_PAGE),
        false => String::new(),
    };
    Response::html(template.replace("{{items}}", &items).replace("{{next}}", &next))
}

/// The bookstore, and a browser.
struct Stage {
    server: TestServer,
    browser: ChromiumBrowser,
}

impl Stage {
    async fn with(template: String) -> Self {
        let server = TestServer::start().await.unwrap();
        server.route("/favicon.ico", |_| Response::status(204));
        server.page("/", "<title>Start</title>");
        server.route("/search", move |request| page_of_results(request, &template));
        let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
        Self { server, browser }
    }

    async fn bookstore() -> Self {
        Self::with(String::from_utf8(fixture("pages/books.html")).unwrap()).await
    }

    /// A session on the map that is made of a catalogue of this server.
    async fn session(&self, change: impl FnOnce(&mut Value)) -> Session {
        let mut document = json_of("awas/bookstore.json");
        document["baseUrl"] = json!(self.server.origin());
        change(&mut document);
        let url = self.server.url("/.well-known/ai-actions.json");
        let imported = served(&document, &url, &Wishes::default()).unwrap();
        engine(&imported.map).open(&self.browser).await.unwrap()
    }
}

const SEARCH: &str = "a_127_0_0_1.search-books";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bookstore_is_searched_in_its_own_page() {
    let stage = Stage::bookstore().await;
    let session = stage.session(|_| {}).await;
    let found = call(&session, SEARCH, json!({ "query": "night" })).await.unwrap();
    assert_eq!(found["count"], 1, "{found}");
    let book = &found["items"][0];
    assert_eq!((&book["title"], &book["author"]), (&json!("Night trams"), &json!("Ada Line")));
    assert_eq!(book["isbn"], "978-1", "an attribute without text is read");
    assert_eq!(book["url"], stage.server.url("/books/978-1"), "an address is absolute");
    assert_eq!(found["has_next"], false);
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_item_does_not_have_is_null_and_reported_as_missing() {
    let stage = Stage::bookstore().await;
    let session = stage.session(|_| {}).await;
    let found = call(&session, SEARCH, json!({ "query": "boats", "sort": "newest" })).await.unwrap();
    assert_eq!(found["items"][0]["isbn"], Value::Null, "{found}");
    assert_eq!(found["missing"].as_array().map(Vec::len), Some(1), "{found}");
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_pages_are_read_when_they_are_asked_for_and_no_more_than_there_are() {
    let stage = Stage::bookstore().await;
    let session = stage.session(|_| {}).await;
    let first = call(&session, SEARCH, json!({ "query": "s" })).await.unwrap();
    assert_eq!((&first["count"], &first["has_next"]), (&json!(2), &json!(true)), "{first}");
    let all = call(&session, SEARCH, json!({ "query": "s", "max_pages": 5 })).await.unwrap();
    assert_eq!((&all["count"], &all["has_next"]), (&json!(3), &json!(false)), "{all}");
    assert_eq!(all["items"][2]["title"], "Slow rivers");
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_choice_of_a_list_is_made() {
    let stage = Stage::bookstore().await;
    let session = stage.session(|_| {}).await;
    let found = call(&session, SEARCH, json!({ "query": "s", "sort": "price-low" })).await.unwrap();
    assert_eq!(found["items"][0]["title"], "Slow rivers", "{found}");
    let error = call(&session, SEARCH, json!({ "query": "s", "sort": "colour" })).await.unwrap_err();
    assert_eq!(error.code, actions_engine::ErrorCode::InvalidInput);
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_are_found_by_what_the_page_marks_when_the_catalogue_names_none() {
    let stage = Stage::bookstore().await;
    let session = stage
        .session(|document| {
            for parameter in document["actions"][0]["parameters"].as_array_mut().unwrap() {
                parameter.as_object_mut().unwrap().remove("selector");
            }
        })
        .await;
    let found = call(&session, SEARCH, json!({ "query": "night" })).await.unwrap();
    assert_eq!(found["count"], 1, "{found}");
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trigger_that_the_page_marks_is_clicked() {
    let page = "<title>Books</title><input name=q><select name=sort><option>relevance</select>\
        <button type=button data-ai-action-trigger=search-books onclick=\"location.href='/search?from=0&q='+document.querySelector('[name=q]').value\">Go</button>\
        <div class=book-results>{{items}}</div>{{next}}";
    let stage = Stage::with(page.to_owned()).await;
    let session = stage.session(|_| {}).await;
    let found = call(&session, SEARCH, json!({ "query": "night" })).await.unwrap();
    assert_eq!(found["count"], 1, "{found}");
    stage.browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_form_and_a_button_enter_is_pressed_in_the_last_field() {
    let page = "<title>Books</title><input name=q onkeydown=\"if (event.key === 'Enter') location.href='/search?q='+this.value\">\
        <div class=book-results>{{items}}</div>{{next}}";
    let stage = Stage::with(page.to_owned()).await;
    let session = stage
        .session(|document| {
            document["actions"][0]["parameters"].as_array_mut().unwrap().truncate(1);
        })
        .await;
    let found = call(&session, SEARCH, json!({ "query": "rivers" })).await.unwrap();
    assert_eq!(found["items"][0]["title"], "Slow rivers", "{found}");
    stage.browser.close().await;
}
