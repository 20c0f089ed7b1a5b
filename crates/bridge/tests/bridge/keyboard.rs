//! The page for people by keyboard alone, in light and dark, wide and narrow.

use actions_bridge::People;
use serde_json::json;

use crate::person::{DARK, Person, url};
use crate::stage::{LOG, Stage, map};

/// What Tab reaches one after the other when the page has been opened.
const ORDER: [&str; 7] =
    ["s0-1", "s1-1", "tool", "line", "call", "Read site.log", "What changed in site.log"];

/// Chooses a tool by the keys of its list.
async fn choose_tool(person: &Person, tool: &str) {
    person.tab_to("#tool").await;
    for _ in 0..6 {
        if person.evaluate("document.activeElement.value").await == tool {
            return;
        }
        person.press("ArrowDown").await;
    }
    panic!("{tool} cannot be chosen");
}

/// Works the whole page: opens a runtime, fills the form of a tool, calls it, allows it, and stops another call.
async fn work(person: &Person, name: &str) {
    person.until("document.querySelectorAll('#pages button').length === 2").await;
    person.until("document.querySelector('#tool').options.length === 5").await;
    let mut order = Vec::new();
    for _ in 0..ORDER.len() {
        person.press("Tab").await;
        let name = "(({ title, dataset, id, textContent }) => title || dataset.name || id || textContent)(document.activeElement)";
        order.push(person.evaluate(name).await);
    }
    assert_eq!(order, ORDER, "{name}: the order of Tab is that of the page");
    let second = "#pages li:nth-child(2) button";
    person.tab_to(second).await;
    person.press("Enter").await;
    person.until("document.querySelector('#address').textContent.endsWith('s1-1')").await;
    assert!(person.has_focus(second).await, "{name}: the focus stays where the person is");
    person.until("document.querySelector('#image').naturalWidth > 0").await;
    person.until("document.querySelector('#tool').options.length === 5").await;

    choose_tool(person, "log.append").await;
    person.tab_to("#fields input").await;
    let line = format!("by keyboard, {name}");
    person.type_text(&line).await;
    person.tab_to("#call").await;
    person.press("Enter").await;
    // The question takes the focus, so that the person need not look for it; a further key does not answer it.
    person.until("document.activeElement.matches('.question')").await;
    person.press("Enter").await;
    person.keep_picture(&format!("keyboard-question-{name}")).await;
    person.tab_to(".question button").await;
    assert_eq!(person.evaluate("document.activeElement.textContent").await, "Allow");
    person.press(" ").await;
    person.until("!document.querySelector('.question')").await;
    person.until("document.activeElement.matches('#call')").await;
    let result = json!(line).to_string();
    person.until(&format!("document.querySelector('#result').textContent === {}", json!(result))).await;

    person.tab_to("#projections button").await;
    person.press("Enter").await;
    person.until(&format!("document.querySelector('#result').textContent.includes({})", json!(line))).await;
    person.tab_to("#result").await;

    person.tab_to("#pages button").await;
    choose_tool(person, "log.wait").await;
    person.tab_to("#call").await;
    person.press("Enter").await;
    person.until("document.querySelector('#calls .stop')").await;
    person.keep_picture(&format!("keyboard-running-{name}")).await;
    person.tab_to("#calls .stop").await;
    person.press("Enter").await;
    person.until("document.querySelector('#result').textContent.startsWith('cancelled')").await;
    person.until("!document.querySelector('#calls .stop')").await;
    assert!(person.has_focus("#calls > li").await, "{name}: the focus stays at the call that was stopped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_works_the_page_by_keyboard_alone_in_light_and_dark_and_at_400_pixels() {
    for (name, width, flags) in [("light", 1280, &[][..]), ("dark-narrow", 400, DARK)] {
        let people = People::default();
        let asked = people.clone();
        let with_people = move |origin: &str| map(origin).on_confirm(asked.clone());
        let stage = Stage::with_people(&[("/", LOG)], 2, with_people, people).await;
        let person = Person::at(&url(&stage), width, flags).await;
        let is_dark = person.evaluate("matchMedia('(prefers-color-scheme: dark)').matches").await;
        assert_eq!(is_dark, !flags.is_empty(), "{name}");
        work(&person, name).await;
        let overflow = person.evaluate("document.documentElement.scrollWidth - innerWidth").await;
        assert!(overflow.as_i64() <= Some(0), "{name}: the page is {overflow} pixels too wide");
        person.keep_picture(&format!("keyboard-end-{name}")).await;
        person.end().await;
        stage.end().await;
    }
}
