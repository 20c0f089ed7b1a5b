//! Storage state: saving and restoring cookies, local storage, session storage and databases.

use actions_browser::{Browser, Call, ContextEvent, ContextOptions, Error, LoadState, StorageState};
use actions_protocol::ErrorCode;
use actions_testserver::Response;
use serde_json::{Value, json};

use crate::stage::{on_every_browser, soon};

const FILL: &str = "(async () => {
  localStorage.setItem('token', 'lócal');
  sessionStorage.setItem('tab', 'session');
  const open = indexedDB.open('shop', 3);
  open.onupgradeneeded = () => {
    const cart = open.result.createObjectStore('cart', { keyPath: ['kind', 'id'] });
    cart.createIndex('by_tag', 'tags', { multiEntry: true });
    open.result.createObjectStore('blobs');
    open.result.createObjectStore('numbers', { autoIncrement: true });
  };
  const database = await new Promise((done, failed) => { open.onsuccess = () => done(open.result); open.onerror = failed });
  const transaction = database.transaction(['cart', 'blobs', 'numbers'], 'readwrite');
  const loop = { kind: 'book', id: 7, tags: ['a', 'b'], at: new Date(86400000), none: undefined, big: 12345678901234567890n,
    odd: [NaN, -0, Infinity], map: new Map([[{ k: 1 }, new Set(['x'])]]), pattern: /a+/gi, bytes: new Uint16Array([1, 65535]) };
  loop.self = loop;
  transaction.objectStore('cart').put(loop);
  transaction.objectStore('blobs').put(new Blob(['he', 'llo'], { type: 'text/plain' }), new Date(5));
  transaction.objectStore('blobs').put(2, 'plain');
  transaction.objectStore('numbers').add('first');
  await new Promise((done, failed) => { transaction.oncomplete = done; transaction.onerror = failed });
  database.close();
})()";

const LOOK: &str = "(async () => {
  const open = indexedDB.open('shop');
  const database = await new Promise((done, failed) => { open.onsuccess = () => done(open.result); open.onerror = failed });
  const ask = request => new Promise((done, failed) => { request.onsuccess = () => done(request.result); request.onerror = failed });
  const transaction = database.transaction(['cart', 'blobs', 'numbers'], 'readwrite');
  const found = ask(transaction.objectStore('cart').index('by_tag').get('b'));
  const blob = ask(transaction.objectStore('blobs').get(new Date(5)));
  const next = ask(transaction.objectStore('numbers').add('second'));
  const book = await found;
  return [localStorage.getItem('token'), sessionStorage.getItem('tab'), document.cookie, database.version,
    book.self === book, book.at.getTime(), 'none' in book && book.none === undefined, String(book.big),
    Number.isNaN(book.odd[0]) && Object.is(book.odd[1], -0), [...book.map][0][1].has('x'), String(book.pattern), [...book.bytes],
    await (await blob).text(), await next];
})()";

on_every_browser! {
    async fn saved_storage_is_restored_in_another_context(stage) {
        stage.server.route("/login", |_| {
            Response::html("<p>in").with_header("set-cookie", "sid=42; path=/; max-age=1000; samesite=lax")
                .with_header("set-cookie", "secret=1; path=/; httponly")
        });
        stage.server.page("/", "<p>home");
        stage.goto("/login").await;
        stage.evaluate(FILL).await;
        stage.goto_url(&stage.server.url_on("localhost", "/")).await;
        stage.evaluate("localStorage.setItem('other', 'origin'); 0").await;
        stage.goto("/").await;
        let mut opened = stage.context.events();
        let saved = stage.context.storage_state(soon()).await.unwrap();
        assert!(opened.try_recv().is_err(), "the page that reads another origin is not reported");
        assert_eq!(saved.origins.len(), 2, "{saved:?}");
        assert_eq!(saved.cookies.len(), 2);

        let text = serde_json::to_string(&saved).unwrap();
        let state: StorageState = serde_json::from_str(&text).unwrap();
        let options = ContextOptions { storage_state: Some(state), ..ContextOptions::default() };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        assert_eq!(context.pages().len(), 0);
        let page = context.new_page(soon()).await.unwrap();
        assert_eq!(page.url(), "about:blank");
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate(LOOK, soon()).await.unwrap(), json!([
            "lócal", "session", "sid=42", 3, true, 86_400_000, true, "12345678901234567890", true, true, "/a+/gi", [1, 65535], "hello", 2
        ]));
        let sent = stage.server.served().last().unwrap().request.header("cookie").unwrap_or_default().to_owned();
        assert!(sent.contains("secret=1"), "an HttpOnly cookie is restored too: {sent:?}");
        page.navigate(&stage.server.url_on("localhost", "/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate("localStorage.getItem('other')", soon()).await.unwrap(), "origin");
        // Saving again yields the same origins.
        assert_eq!(context.storage_state(soon()).await.unwrap().origins.len(), 2);
        let secret = stage.server.served();
        let sent = secret.last().unwrap().request.header("cookie").unwrap_or_default().to_owned();
        assert_eq!(sent, "", "cookies of 127.0.0.1 are not sent to localhost");
    }

    async fn values_that_cannot_be_saved_are_listed(stage) {
        stage.server.page("/", "<p>home");
        stage.goto_url(&stage.server.url_on("localhost", "/")).await;
        stage.evaluate("(async () => {
          const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
          const open = indexedDB.open('vault', 1);
          open.onupgradeneeded = () => open.result.createObjectStore('keys');
          const database = await new Promise(done => open.onsuccess = () => done(open.result));
          const transaction = database.transaction('keys', 'readwrite');
          transaction.objectStore('keys').put(key, 'main');
          await new Promise(done => transaction.oncomplete = done);
          database.close();
        })()").await;
        let saved = stage.context.storage_state(soon()).await.unwrap();
        assert_eq!(saved.origins[0].unsaved, ["record 0 of store keys of database vault: a value of type CryptoKey cannot be saved"]);
    }

    async fn session_storage_is_read_from_an_open_page_or_listed_as_unsaved(stage) {
        stage.server.page("/", "<p>home");
        stage.goto("/").await;
        let other = stage.context.new_page(soon()).await.unwrap();
        other.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        other.evaluate("sessionStorage.setItem('tab', 'second')", soon()).await.unwrap();
        let saved = stage.context.storage_state(soon()).await.unwrap();
        assert_eq!(saved.origins[0].session_storage[0].value, "second");
        assert_eq!(saved.origins[0].unsaved, Vec::<String>::new());

        let elsewhere = stage.server.url_on("localhost", "/");
        for page in [&stage.page, &other] {
            page.navigate(&elsewhere, LoadState::Load, soon()).await.unwrap();
        }
        let saved = stage.context.storage_state(soon()).await.unwrap();
        assert_eq!(saved.origins.len(), 1, "{saved:?}");
        assert_eq!(saved.origins[0].session_storage, []);
        assert_eq!(saved.origins[0].unsaved, ["session storage: no page shows this origin now; go there before saving"]);
    }

    async fn reading_a_large_database_stops_at_the_limit(stage) {
        stage.show("<p>home").await;
        stage.evaluate("(async () => {
          const open = indexedDB.open('large', 1);
          open.onupgradeneeded = () => open.result.createObjectStore('records');
          const database = await new Promise(done => open.onsuccess = () => done(open.result));
          const transaction = database.transaction('records', 'readwrite');
          for (let key = 0; key < 100; key += 1) transaction.objectStore('records').put('x'.repeat(100_000), key);
          await new Promise(done => transaction.oncomplete = done);
          database.close();
        })()").await;
        let main = stage.page.main_frame();
        let args = json!({ "max_bytes": 1_000_000 });
        let error = stage.page.call::<Value>(Call::new(&main, "storage.read", &args), soon()).await.unwrap_err();
        let Error::Answered { code, evidence, .. } = error else { panic!("{error:?}") };
        assert_eq!(code, ErrorCode::PayloadTooLarge);
        assert!(evidence["bytes"].as_u64().unwrap() < 1_200_000, "{evidence}");
    }

    async fn a_context_reports_pages_that_open_and_close(stage) {
        stage.server.page("/leaf", "<p>leaf");
        let mut events = stage.context.events();
        let page = stage.context.new_page(soon()).await.unwrap();
        assert!(matches!(events.recv().await.unwrap(), ContextEvent::PageOpened { main_frame } if main_frame == page.main_frame()));
        let leaf = stage.server.url_on("localhost", "/leaf");
        stage.server.page("/", format!("<iframe src='{leaf}'></iframe>"));
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        page.close(soon()).await.unwrap();
        assert!(matches!(events.recv().await.unwrap(), ContextEvent::PageClosed { main_frame } if main_frame == page.main_frame()));
    }
}
