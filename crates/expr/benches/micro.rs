//! How long compiling and evaluating take: `cargo bench -p actions-expr`.

#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use actions_expr::{Budget, Expression};
use serde_json::{Value as Json, json};

/// Prints the shortest of several rounds, in microseconds.
fn measure(what: &str, source: &str, mut run: impl FnMut()) {
    let mut best = Duration::MAX;
    for _ in 0..15 {
        let times = 20;
        let start = Instant::now();
        (0..times).for_each(|_| run());
        best = best.min(start.elapsed() / times);
    }
    println!("{:>10.2} µs  {what}  {source}", best.as_secs_f64() * 1e6);
}

fn measure_all(scope: &Json, sources: &[&str]) {
    let budget = Budget { max_bytes: usize::MAX, ..Budget::default() };
    for source in sources {
        measure("compile ", source, || drop(black_box(Expression::compile(source))));
        let Ok(expression) = Expression::compile(source) else {
            println!("{source} does not compile");
            continue;
        };
        measure("evaluate", source, || drop(black_box(expression.evaluate(scope, &budget))));
    }
}

fn main() {
    let rows = |count: usize| -> Vec<Json> {
        let row = |n| json!({"from": format!("Person {n} <p{n}@example.com>"), "subject": format!("Re:   {n}"), "n": n});
        (0..count).map(row).collect()
    };
    let workflow = json!({
        "input": {"label": "Save", "n": 3, "text": "  two   words "},
        "steps": {
            "find": {"ok": true, "output": {"text": "Save", "clickable_center": {"x": 120.5, "y": 48}}},
            "read": {"ok": true, "output": {"rows": rows(200)}},
        },
        "item": {"id": "card-2"},
        "index": 1,
    });
    measure_all(
        &workflow,
        &[
            "steps.find.output.clickable_center.x",
            "$exists(steps.find.output.clickable_center.x) and input.n > 1",
            "'li[data-id=\"' & item.id & '\"]'",
            "{'clicked': true, 'button': steps.find.output}",
            "$replace($trim(input.text), /\\s+/, ' ')",
            "$count(steps.read.output.rows)",
        ],
    );
    measure_all(
        &json!({"records": {"rows": rows(1_000)}}),
        &[
            "records.rows[n > 500].subject",
            "$map(records.rows, function($r, $i) { {'n': $i, 'from': $substringBefore($r.from, ' <')} })",
            "$map(records.rows, function($r) { $replace($r.subject, /\\s+/, ' ') })",
            "records.rows.{'subject': subject, 'address': $match(from, /<([^>]+)>/).groups[0]}",
        ],
    );
}
