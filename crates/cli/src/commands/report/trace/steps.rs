//! The steps of a call on a line of time, each with what it was given and what it returned.

use actions_engine::{CallId, ErrorObject, EventKind, Moment, Picture, RunEvent, Trace};
use serde_json::{Value, json};

use super::super::html::Html;
use super::super::page::sign;
use super::super::picture::{Mark, picture, size};
use super::events;

/// The most runs of a primitive that are shown for one step.
const MAX_RUNS: usize = 60;

/// The steps of a call, and of the calls that its steps make.
pub(super) struct Steps<'t>(Vec<Step<'t>>);

struct Step<'t> {
    call: &'t CallId,
    id: String,
    primitive: &'t str,
    /// How many calls it is inside of.
    depth: usize,
    began: u64,
    ended: Option<u64>,
    ok: bool,
    skipped: bool,
    error: Option<&'t ErrorObject>,
    runs: Vec<Run<'t>>,
    notes: Vec<String>,
    before: Option<&'t Picture>,
    after: Option<&'t Picture>,
}

/// One run of a primitive.
struct Run<'t> {
    primitive: &'t str,
    index: Option<usize>,
    args: &'t Value,
    output: Option<&'t Value>,
    error: Option<&'t ErrorObject>,
    duration_ms: u64,
}

/// What pictures call the primitive of a tool without steps.
const HANDLER: &str = "handler";

impl<'t> Steps<'t> {
    pub(super) fn of(trace: &'t Trace) -> Self {
        let mut steps = Self(Vec::new());
        events(trace).for_each(|(at, event)| steps.take(at, event));
        steps
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().filter(|step| step.depth == 0).count()
    }

    /// The last step of this id in the call of an event.
    fn step(&mut self, event: &RunEvent, id: &str) -> Option<&mut Step<'t>> {
        self.0.iter_mut().rev().find(|step| *step.call == event.call_id && step.id == id)
    }

    fn begin(&mut self, at: u64, event: &'t RunEvent, id: &str, primitive: &'t str) {
        self.0.push(Step {
            call: &event.call_id,
            id: id.to_owned(),
            primitive,
            depth: event.within.len(),
            began: at,
            ended: None,
            ok: false,
            skipped: false,
            error: None,
            runs: Vec::new(),
            notes: Vec::new(),
            before: None,
            after: None,
        });
    }

    fn take(&mut self, at: u64, event: &'t RunEvent) {
        match &event.kind {
            EventKind::StepStarted { step_id, primitive, .. } => {
                self.begin(at, event, step_id.as_str(), primitive);
            }
            EventKind::PrimitiveStarted { step_id, primitive, args, index, .. } => {
                let id = step_id.as_ref().map_or(HANDLER, |id| id.as_str());
                if step_id.is_none() && self.step(event, id).is_none() {
                    self.begin(at, event, id, primitive);
                }
                let run = Run { primitive, index: *index, args, output: None, error: None, duration_ms: 0 };
                if let Some(step) = self.step(event, id) {
                    step.runs.push(run);
                }
            }
            EventKind::PrimitiveFinished { step_id, output, error, duration_ms, .. } => {
                let is_handler = step_id.is_none();
                let id = step_id.as_ref().map_or(HANDLER, |id| id.as_str());
                let Some(step) = self.step(event, id) else { return };
                if is_handler {
                    (step.ok, step.ended) = (error.is_none(), Some(at));
                }
                if let Some(run) = step.runs.last_mut() {
                    (run.output, run.error) = (output.as_deref(), error.as_deref());
                    run.duration_ms = *duration_ms;
                }
            }
            EventKind::StepFinished { summary, error } => {
                let Some(step) = self.step(event, summary.id.as_str()) else { return };
                (step.ok, step.skipped, step.ended) = (summary.ok, summary.skipped, Some(at));
                step.error = error.as_deref();
            }
            EventKind::Settled { step_id, settle, .. } => {
                let how = if settle.ok { "settled after" } else { "had not settled after" };
                let note = format!("{how} {} ms", settle.waited_ms);
                self.step(event, step_id.as_str()).into_iter().for_each(|step| step.notes.push(note.clone()));
            }
            EventKind::RetryEvaluated { step_id, attempt, satisfied } => {
                let how = if *satisfied { "the condition held" } else { "the condition did not hold" };
                let note = format!("attempt {}: {how}", attempt + 1);
                self.step(event, step_id.as_str()).into_iter().for_each(|step| step.notes.push(note.clone()));
            }
            EventKind::ItemsLeftOut { step_id, count } => {
                let note = format!("{count} items were left out");
                self.step(event, step_id.as_str()).into_iter().for_each(|step| step.notes.push(note.clone()));
            }
            EventKind::Picture { subject, moment, picture } => {
                let id = match moment {
                    // The picture of a failed call belongs to the step that failed.
                    Moment::Error => self.0.iter().rev().find(|step| !step.ok).map(|step| step.id.clone()),
                    _ => Some(subject.clone()),
                };
                let Some(step) = id.and_then(|id| self.step(event, &id)) else { return };
                match moment {
                    Moment::Before => step.before = Some(picture),
                    _ => step.after = Some(picture),
                }
            }
            _ => {}
        }
    }

    pub(super) fn write(&self, html: &mut Html, trace: &Trace, whole_ms: u64) {
        let whole = self.0.iter().filter_map(|step| step.ended).max().unwrap_or(0).max(whole_ms).max(1);
        html.raw("<ol class=steps>");
        for step in &self.0 {
            html.raw("<li").attribute("class", format_args!("depth-{}", step.depth.min(4))).raw(">");
            step.write(html, trace, whole);
            html.raw("</li>\n");
        }
        html.raw("</ol>\n");
    }
}

impl Step<'_> {
    fn write(&self, html: &mut Html, trace: &Trace, whole: u64) {
        let failed = !self.ok && !self.skipped;
        html.raw(if failed { "<details class=\"item failed\" open>" } else { "<details class=item>" });
        html.raw("<summary>");
        match self.skipped {
            true => drop(html.raw("<span class=sign role=img aria-label=skipped>–</span> ")),
            false => sign(html, !failed),
        }
        let ended = self.ended.unwrap_or(whole);
        html.element("b", &self.id).raw(" ").element("span class=hush", self.primitive);
        html.raw("<span class=time>").text(ended.saturating_sub(self.began)).raw(" ms</span>");
        let share = |ms: u64| ms as f64 / whole as f64;
        html.raw("<span class=bar aria-hidden=true><i style=\"left:").percent(share(self.began));
        html.raw(";width:").percent(share(ended.saturating_sub(self.began))).raw("\"></i></span>");
        html.raw("</summary><div class=body>");
        if self.skipped {
            html.element("p class=hush", "Its condition left it out.");
        }
        if let Some(error) = self.error {
            html.raw("<p class=error>")
                .text(&error.message)
                .raw(" <code>")
                .text(&error.code)
                .raw("</code></p>");
        }
        for run in self.runs.iter().take(MAX_RUNS) {
            run.write(html, self.runs.len() > 1);
        }
        if self.runs.len() > MAX_RUNS {
            html.raw("<p class=hush>… ").text(self.runs.len() - MAX_RUNS).raw(" more runs</p>");
        }
        for note in &self.notes {
            html.element("p class=hush", note);
        }
        self.pictures(html, trace);
        html.raw("</div></details>");
    }

    fn pictures(&self, html: &mut Html, trace: &Trace) {
        if self.before.is_none() && self.after.is_none() {
            return;
        }
        let point = self.runs.iter().rev().find_map(Run::point);
        html.raw("<div class=pair>");
        for (caption, shot, is_before) in [("before", self.before, true), ("after", self.after, false)] {
            let Some(shot) = shot else { continue };
            let png = match shot {
                Picture::File(file) => trace.read_picture(file).map_err(|error| error.to_string()),
                Picture::Missing(code) => Err(format!("no picture: {code}")),
                _ => Err("no picture".to_owned()),
            };
            let height = png.as_ref().ok().and_then(|png| size(png)).map(|(_, height)| f64::from(height));
            let mark = point.filter(|point| !is_before || !may_have_scrolled(*point, height));
            picture(html, caption, png, mark);
        }
        html.raw("</div>");
        if let Some(Mark::Point { x, y }) = point {
            html.raw("<p class=hush>The ring marks where the page was pressed: ").text(x).raw(", ").text(y);
            html.raw(".</p>");
        }
    }
}

/// Whether the page may have been scrolled to the target after the first picture: a target is scrolled to the middle.
fn may_have_scrolled(point: Mark, height: Option<f64>) -> bool {
    let (Mark::Point { y, .. }, Some(height)) = (point, height) else { return true };
    (y - height / 2.0).abs() < 3.0
}

impl Run<'_> {
    fn write(&self, html: &mut Html, of_several: bool) {
        if of_several {
            html.raw("<h4>");
            if let Some(index) = self.index {
                html.raw("#").text(index + 1).raw(" ");
            }
            html.text(self.primitive).raw(" <span class=time>").text(self.duration_ms).raw(" ms</span></h4>");
        }
        html.raw("<div class=sides><div><span>arguments</span>").json(self.args).raw("</div>");
        if let Some(output) = self.output {
            html.raw("<div><span>output</span>").json(output).raw("</div>");
        }
        if let Some(error) = self.error {
            html.raw("<div><span>error</span>").json(&json!(error)).raw("</div>");
        }
        html.raw("</div>");
    }

    /// Where the page was pressed.
    fn point(&self) -> Option<Mark> {
        let seen = self.output?;
        Some(Mark::Point { x: seen.get("x")?.as_f64()?, y: seen.get("y")?.as_f64()? })
    }
}
