//! What a page may do to be read wrongly.

use actions_engine::browser::Deadline;
use serde_json::json;

use crate::stage::{Stage, plain, projection, read, script, state};

#[tokio::test]
async fn a_page_that_replaces_the_builtins_is_read_all_the_same() {
    let stage = Stage::new().await;
    let page = r#"<title>T</title><ul><li data-id=a>one</li><li data-id=b>two</li></ul>
    <script>
      const { defineProperty, getOwnPropertyNames } = Object;
      const steal = () => { window.ran += 1; return ['stolen']; };
      const kept = { constructor: 1, caller: 1, callee: 1, arguments: 1, call: 1, apply: 1, bind: 1, prototype: 1 };
      const targets = [Array.prototype, String.prototype, Map.prototype, Set.prototype, Object, JSON, Reflect, Function.prototype, Promise.prototype];
      for (let t = 0; t < targets.length; t += 1) {
        const names = getOwnPropertyNames(targets[t]);
        for (let n = 0; n < names.length; n += 1)
          if (kept[names[n]] !== 1) try { defineProperty(targets[t], names[n], { value: steal, configurable: true }); } catch {}
      }
      Array.prototype[Symbol.iterator] = steal;
      Element.prototype.getAttribute = steal;
      Element.prototype.querySelectorAll = steal;
      Document.prototype.querySelectorAll = steal;
      Document.prototype.evaluate = steal;
      defineProperty(HTMLElement.prototype, 'innerText', { get: steal });
      defineProperty(Node.prototype, 'textContent', { get: steal });
      defineProperty(Node.prototype, 'firstChild', { get: steal });
      defineProperty(Document.prototype, 'title', { get: steal });
      globalThis.TextEncoder = steal;
      globalThis.JSON = { stringify: steal, parse: steal };
      globalThis.Symbol = steal;
      window.ran = 0;
    </script>"#;
    let items = json!([
        { "id": "rows", "selector": "li", "fields": { "id": { "attribute": "data-id" }, "text": { "trim": true } } },
        { "id": "paths", "xpath": "//li" },
    ]);
    let session = stage
        .show(page, projection(items, "{'rows': records.rows, 'paths': records.paths, 'title': title}"))
        .await;
    let expected = json!({ "rows": [{ "id": "a", "text": "one" }, { "id": "b", "text": "two" }], "paths": ["one", "two"], "title": "T" });
    assert_eq!(state(&session).await, expected);
    assert_eq!(script(&session, "window.ran").await, json!(0), "the page's code never ran for us");
}

#[tokio::test]
async fn elements_whose_getters_throw_or_lie_are_read_by_what_they_are() {
    let stage = Stage::new().await;
    let page = r#"<form id=f data-id=form><input name=getAttribute value=1><input name=innerText><input name=textContent value=x><b>text</b></form>
    <script>
      window.ran = 0;
      const form = document.querySelector('form');
      for (const name of ['id', 'dataset', 'value', 'checked', 'ariaLabel', 'getBoundingClientRect', 'closest', 'nodeType', 'children'])
        Object.defineProperty(form, name, { get() { window.ran += 1; throw new Error('no'); } });
      Object.defineProperty(document, 'title', { get() { window.ran += 1; return 'lie'; } });
      customElements.define('x-a', class extends HTMLElement { get innerText() { window.ran += 1; return 'lie'; } toString() { throw 1; } });
      document.body.insertAdjacentHTML('beforeend', '<x-a>truth</x-a>');
    </script>"#;
    let items = json!([
        { "id": "form", "selector": "form", "many": false, "fields": {
            "id": { "attribute": "data-id" }, "text": { "trim": true }, "value": { "property": "value" }, "checked": { "property": "checked" },
            "label": { "property": "ariaLabel" }, "self": { "closest": "form", "attribute": "data-id" }, "b": { "selector": "b" } } },
        { "id": "custom", "selector": "x-a" },
    ]);
    let session = stage.show(page, plain(items)).await;
    insta::assert_json_snapshot!(state(&session).await);
    assert_eq!(script(&session, "window.ran").await, json!(0));
}

#[tokio::test]
async fn values_that_json_cannot_hold_are_made_whole() {
    let stage = Stage::new().await;
    let page = r#"<p id=lone></p><p id=astral></p><p id=zero></p><p id=quote></p>
    <script>
      document.querySelector('#lone').setAttribute('data-v', 'a\ud800b\udc00');
      document.querySelector('#lone').textContent = '\udfff!';
      document.querySelector('#astral').setAttribute('data-v', '\ud83c\udf31');
      document.querySelector('#zero').setAttribute('data-v', '\u0000\u001f\u2028');
      document.querySelector('#quote').setAttribute('data-v', '"\\\\ud800\\"</script\u003e');
    </script>"#;
    let items = json!([
        { "id": "p", "selector": "p", "fields": { "v": { "attribute": "data-v" }, "text": { "property": "textContent" } } },
        { "id": "boxes", "selector": "p", "fields": { "box": { "property": "boundingClientRect" } }, "many": false },
    ]);
    let session = stage
        .show(page, projection(items, "{'p': records.p, 'width': $type(records.boxes.box.width)}"))
        .await;
    let seen = state(&session).await;
    assert_eq!(seen["p"][0], json!({ "v": "a\u{fffd}b\u{fffd}", "text": "\u{fffd}!" }));
    assert_eq!(seen["p"][1]["v"], "\u{1f331}");
    assert_eq!(seen["p"][2]["v"], "\u{0}\u{1f}\u{2028}");
    assert_eq!(seen["p"][3]["v"], "\"\\\\ud800\\\"</script>");
    assert_eq!(seen["width"], "number");
}

#[tokio::test]
async fn numbers_that_json_cannot_hold_are_null() {
    let stage = Stage::new().await;
    stage.server.page("/", "<p>text</p>");
    let read = json!({
        "name": "read", "description": "Reads numbers.", "input_schema": { "type": "object" },
        "workflow": { "version": 1, "expression_language": "jsonata",
            "steps": [{ "id": "read", "primitive": "dom.extract", "args": { "extract": [
                { "id": "nan", "xpath": "{% 'number(//p)' %}", "many": false },
                { "id": "infinite", "xpath": "{% '1 div 0' %}", "many": false },
                { "id": "count", "xpath": "{% 'count(//p)' %}", "many": false }] } }],
            "output": "{% steps.read.output.records %}" } });
    let session = stage.open(&crate::stage::map(&[], &[read]), "/").await;
    let records = session.call("read").run().await.result.expect("records");
    assert_eq!(records, json!({ "nan": null, "infinite": null, "count": 1 }));
}

#[tokio::test]
async fn names_of_prototypes_are_names_like_any_other() {
    let stage = Stage::new().await;
    let fields = json!({ "__proto__": { "attribute": "data-a" }, "constructor": { "attribute": "data-b" }, "toString": { "attribute": "data-c" },
        "hasOwnProperty": { "fields": { "__proto__": { "attribute": "data-a" } } } });
    let items = json!([{ "id": "rows", "selector": "p", "fields": fields }, { "id": "toString", "selector": "p", "fields": { "a": { "attribute": "data-a" } } }]);
    let session = stage.show("<p data-a=1 data-b=2 data-c=3>", plain(items)).await;
    let row = json!({ "__proto__": "1", "constructor": "2", "toString": "3", "hasOwnProperty": { "__proto__": "1" } });
    assert_eq!(state(&session).await, json!({ "rows": [row], "toString": [{ "a": "1" }] }));
}

#[tokio::test]
async fn huge_values_are_refused_with_a_code() {
    let stage = Stage::new().await;
    let page = "<p id=long></p><p id=many></p><script>
      document.querySelector('#long').setAttribute('data-v', 'x'.repeat(300000));
      document.querySelector('#many').innerHTML = '<b>y</b>'.repeat(120000);
    </script>";
    let cases = [
        (
            json!([{ "id": "long", "selector": "#long", "fields": { "v": { "attribute": "data-v" } } }]),
            "value_chars",
        ),
        (json!([{ "id": "many", "selector": "#many b" }]), "matches"),
    ];
    for (items, limit) in cases {
        let session = stage.show(page, plain(items)).await;
        let error = read(&session).await.expect_err("too much");
        assert_eq!(error.code.as_str(), "state_payload_too_large", "{error}");
        assert!(error.message.contains(limit), "{error}");
    }
}

#[tokio::test]
async fn a_document_that_never_stops_changing_is_read_at_one_moment() {
    let stage = Stage::new().await;
    // Every row is taken out and put in again all the time; its two numbers are always equal.
    let page = "<ul></ul><script>
      let n = 0;
      const turn = () => { n += 1; document.querySelector('ul').replaceChildren(...Array.from({ length: 50 }, () => {
        const li = document.createElement('li'); li.dataset.n = n; li.textContent = n; return li; })); };
      turn(); setInterval(turn, 0);
    </script>";
    let items =
        json!([{ "id": "rows", "selector": "li", "fields": { "n": { "attribute": "data-n" }, "text": {} } }]);
    let session = stage
        .show(
            page,
            projection(
                items,
                "{'rows': $count(records.rows), 'numbers': $count($distinct(records.rows.(n & text)))}",
            ),
        )
        .await;
    for _ in 0..5 {
        assert_eq!(state(&session).await, json!({ "rows": 50, "numbers": 1 }), "one moment, not several");
    }
}

#[tokio::test]
async fn a_frame_that_leaves_while_it_is_read_is_a_coded_error() {
    let stage = Stage::new().await;
    let other = stage.server.url_on("other.localhost", "/inner");
    stage.server.page("/inner", "<h1>Inner</h1>");
    // Frames come and go all the time.
    let page = format!(
        "<div></div><script>setInterval(() => {{ document.querySelector('div').innerHTML = '<iframe id=f src=\"{other}\"></iframe>'; }}, 5)</script>"
    );
    let session = stage.show(&page, plain(json!([{ "id": "h", "selector": "h1", "frame": "#f" }]))).await;
    match read(&session).await {
        Ok(reading) => assert!(reading.state["h"].is_array(), "{:?}", reading.state),
        Err(error) => assert!(
            ["frame_not_found", "frame_detached", "target_detached"].contains(&error.code.as_str()),
            "{} {error}",
            error.code
        ),
    }
}

#[tokio::test]
async fn a_page_that_hangs_or_asks_ends_the_reading_by_its_deadline() {
    let stage = Stage::new().await;
    let session = stage.show("<h1>Busy</h1>", plain(json!([{ "id": "h", "selector": "h1" }]))).await;
    let clock = session.stage().clock();
    let deadline = Deadline::after(&*clock, std::time::Duration::from_secs(30));
    let busy = session.page().evaluate("setTimeout(() => { while (true) ; }, 0)", deadline).await;
    assert!(busy.is_ok());
    let request = json!({ "mode": "state_read", "projection": "it", "timeout_ms": 700 });
    let error = crate::stage::site(&session, request).await.expect_err("it hangs");
    assert_eq!(error.code.as_str(), "timeout");
}
