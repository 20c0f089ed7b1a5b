//! Performs drags.
//!
//! When the page starts an HTML drag and drop, the browser hands the drag over to the driver. From then on the driver
//! sends drag events instead of mouse events.

use std::sync::Arc;
use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::input::{
    DispatchDragEventType, DispatchMouseEventParams, DispatchMouseEventType, SetInterceptDragsParams,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::GetIsolateIdParams;
use futures_util::FutureExt;
use futures_util::future::select;
use serde_json::Value;
use tokio::sync::oneshot;

use super::ChromiumPage;
use super::input::{Acknowledged, bits};
use super::wire::{DispatchDragEvent, DragIntercepted};
use crate::cdp::{Pending, Session, Subscription};
use crate::{
    Call, Deadline, Drag, DragKind, Error, FrameId, Input, Modifiers, MouseButton, Point, Scripting,
};

/// The distance in CSS pixels within which a page may still start an HTML drag. Chromium waits longest for links.
const DRAG_START_DISTANCE: f64 = 40.0;

/// How long to wait for the process of a frame. A frame that hangs is not being dragged.
const FRAME_RESPONSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The function of the page script that waits for two frames, and how long it may take.
const FRAMES: &str = "page.frames";
const FRAMES_TIMEOUT: Duration = Duration::from_secs(5);

impl ChromiumPage {
    /// Presses, moves along the path and releases; switches to drag events when the page starts an HTML drag.
    pub(super) async fn drag_through(
        &self,
        drag: &Drag,
        from: Point,
        to: Point,
        held: &mut Held<'_>,
        deadline: Deadline,
    ) -> Result<DragKind, Error> {
        let modifiers = drag.modifiers;
        let press = [
            Input::MouseMove { to: from, modifiers },
            Input::MouseDown { at: from, button: MouseButton::Left, click_count: 1, modifiers },
        ];
        self.send_and_wait(&press, deadline).await?;
        for (step, &point) in drag.path.iter().skip(1).enumerate() {
            if step > 0 && !drag.pause.is_zero() {
                let clock = self.clock();
                clock.sleep_until((clock.now() + drag.pause).min(deadline.at())).await;
            }
            if let Some(data) = &held.carried {
                let over = self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                self.acknowledged(vec![over]).await?;
                continue;
            }
            self.send_and_wait(&[Input::MouseMove { to: point, modifiers }], deadline).await?;
            if !held.is_settled {
                self.wait_for_drag_start(deadline).await?;
                held.is_settled = from.distance(point) > DRAG_START_DISTANCE;
            }
            if let Some(data) = held.carried() {
                let enter = self.send_drag(DispatchDragEventType::DragEnter, point, data, drag, deadline);
                let over = self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                self.acknowledged(vec![enter, over]).await?;
            }
        }
        if let Some(frame) = &drag.handled_in {
            self.wait_until_handled(frame, deadline).await?;
        }
        let release = Input::MouseUp { at: to, button: MouseButton::Left, click_count: 1, modifiers };
        match &held.carried {
            Some(data) => {
                let drop = self.send_drag(DispatchDragEventType::Drop, to, data, drag, deadline);
                self.acknowledged(vec![drop]).await?;
                self.send_and_wait(&[release], deadline).await?;
                Ok(DragKind::DragAndDrop)
            }
            None => {
                self.send_and_wait(&[release], deadline).await?;
                Ok(DragKind::Pointer)
            }
        }
    }

    /// Waits until a document has handled the last movement. The browser acknowledges a movement when its listeners have
    /// run, but many of them only note the position and act on it in the next frame or task.
    async fn wait_until_handled(&self, frame: &FrameId, deadline: Deadline) -> Result<(), Error> {
        let nothing = serde_json::json!({});
        let soon = deadline.at_most(&**self.clock(), FRAMES_TIMEOUT);
        // A document that is gone or draws no frames handles nothing any more.
        let _ = self.call_text(Call::new(frame, FRAMES, &nothing).reading(), soon).await;
        self.refuse_if_blocked()
    }

    /// Waits until the event of an HTML drag, if the page has started one, has arrived. The browser may acknowledge the
    /// move before it; a response of the process that shows the frame arrives after it.
    async fn wait_for_drag_start(&self, deadline: Deadline) -> Result<(), Error> {
        let soon = deadline.at_most(&**self.clock(), FRAME_RESPONSE_TIMEOUT);
        let until = |home: &Session| if home.is_same(&self.session) { deadline } else { soon };
        let homes = self.state().homes();
        let asked: Vec<_> = homes.iter().map(|home| home.send(GetIsolateIdParams {}, until(home))).collect();
        for answer in asked {
            // A frame that is detached or hangs drags nothing.
            let _ = self.answer(answer).await;
        }
        self.refuse_if_blocked()
    }

    fn send_drag(
        &self,
        kind: DispatchDragEventType,
        at: Point,
        data: &Value,
        drag: &Drag,
        deadline: Deadline,
    ) -> Pending<Acknowledged> {
        let modifiers = bits(drag.modifiers);
        let command = DispatchDragEvent { kind, x: at.x, y: at.y, data: data.clone(), modifiers };
        self.session.send(command, deadline)
    }
}

/// A drag in progress. However it ends, also by cancellation, dropping this releases the button, cancels the HTML drag
/// and stops intercepting drags.
pub(super) struct Held<'p> {
    page: &'p ChromiumPage,
    at: Point,
    modifiers: Modifiers,
    deadline: Deadline,
    /// Reports the start of an HTML drag; `None` once the drag has ended.
    started: Option<Subscription<DragIntercepted>>,
    /// The data of the HTML drag.
    carried: Option<Value>,
    /// Whether the page can no longer start an HTML drag.
    is_settled: bool,
}

impl<'p> Held<'p> {
    /// A drag that is about to start and would be released at a point.
    pub(super) fn new(page: &'p ChromiumPage, at: Point, modifiers: Modifiers, deadline: Deadline) -> Self {
        let started = Some(page.session.subscribe());
        Self { page, at, modifiers, deadline, started, carried: None, is_settled: false }
    }

    /// The data of the HTML drag, if it is known to have started.
    fn carried(&mut self) -> Option<&Value> {
        if self.carried.is_none() {
            self.carried = self
                .started
                .as_mut()
                .and_then(Subscription::try_recv)
                .map(|event: DragIntercepted| event.data);
        }
        self.carried.as_ref()
    }

    /// Ends a drag that was performed to its end.
    pub(super) fn release(mut self) -> Pending<Acknowledged> {
        self.started = None;
        self.page.session.send(SetInterceptDragsParams::new(false), self.deadline).without_content()
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let carried = self.carried().cloned();
        let Some(started) = self.started.take() else { return };
        let kind = DispatchMouseEventType::MouseReleased;
        let release = self.page.mouse_command(kind, self.at, self.modifiers, Some(MouseButton::Left), 1);
        let (over, is_over) = oneshot::channel();
        let abandoned = Abandoned { session: self.page.session.clone(), release: release.clone(), over };
        match carried {
            Some(data) => abandoned.cancel(data),
            // A move that the page has not handled yet may still start an HTML drag.
            None => {
                let homes = self.page.state().homes();
                self.page.session.send_then(release, move |_| abandoned.end_after_responses(&homes, started));
            }
        }
        let expired = self.page.clock().sleep_until(self.deadline.at());
        self.page.abandon_input([select(is_over, expired).map(drop).boxed()]);
    }
}

/// A drag whose caller has stopped waiting.
struct Abandoned {
    session: Session,
    release: DispatchMouseEventParams,
    over: oneshot::Sender<()>,
}

impl Abandoned {
    /// Ends it once every process of the page has responded: an HTML drag would have been reported by then.
    fn end_after_responses(self, homes: &[Session], started: Subscription<DragIntercepted>) {
        let last = Arc::new((self, started));
        for home in homes {
            let last = last.clone();
            home.send_then(GetIsolateIdParams {}, move |_| Self::end_if_last(last));
        }
        Self::end_if_last(last);
    }

    fn end_if_last(last: Arc<(Self, Subscription<DragIntercepted>)>) {
        let Some((abandoned, mut started)) = Arc::into_inner(last) else { return };
        match started.try_recv() {
            Some(event) => abandoned.cancel(event.data),
            None => abandoned.end(),
        }
    }

    /// Cancels the HTML drag; only then does the browser handle mouse events again.
    fn cancel(self, data: Value) {
        let DispatchMouseEventParams { x, y, modifiers, .. } = self.release;
        let (kind, modifiers) = (DispatchDragEventType::DragCancel, modifiers.unwrap_or_default());
        self.session.send_then(DispatchDragEvent { kind, x, y, data, modifiers }, drop);
        // The browser, not the page, answers the command that ends this. So wait until the page has handled the release:
        // otherwise a later gesture would receive it.
        let release = self.release.clone();
        self.session.clone().send_then(release, move |_| self.end());
    }

    fn end(self) {
        let over = self.over;
        self.session.send_then(SetInterceptDragsParams::new(false), move |_| {
            // The receiver may be gone.
            let _ = over.send(());
        });
    }
}
