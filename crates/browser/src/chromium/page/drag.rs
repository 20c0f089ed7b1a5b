//! Dragging. The browser hands an HTML drag and drop over to us as soon as the page starts one; from then on it is
//! driven by drag events instead of mouse events.

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
use super::input::Taken;
use super::wire::{DispatchDragEvent, DragIntercepted};
use crate::cdp::{Pending, Session, Subscription};
use crate::{Deadline, Drag, DragKind, Error, Input, Modifiers, MouseButton, Point};

/// How far the pointer moves, in CSS pixels, until a page that has not started a drag will not start one any more:
/// Chromium waits longest for links.
const MAY_START: f64 = 40.0;

/// How long a process that shows a frame is waited for: a frame that hangs is not what is dragged.
const A_FRAME_ANSWERS: Duration = Duration::from_millis(500);

impl ChromiumPage {
    pub(super) async fn perform_drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error> {
        self.refuse_if_blocked()?;
        let (Some(&from), Some(&to)) = (drag.path.first(), drag.path.last()) else {
            return Ok(DragKind::Pointer);
        };
        let mut held = Held {
            page: self,
            at: to,
            modifiers: drag.modifiers,
            deadline,
            started: Some(self.session.subscribe()),
            carried: None,
            is_settled: false,
        };
        self.state().told.stir();
        let intercepting = self.session.send(SetInterceptDragsParams::new(true), deadline);
        let kind = self.drag_through(drag, from, to, &mut held, deadline).await?;
        self.state().told.take();
        let stopped = held.over();
        self.answer(intercepting).await?;
        self.answer(stopped).await?;
        Ok(kind)
    }

    async fn drag_through(
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
        self.give(&press, deadline).await?;
        for (step, &point) in drag.path.iter().skip(1).enumerate() {
            if step > 0 && !drag.pause.is_zero() {
                let clock = self.clock();
                clock.sleep_until((clock.now() + drag.pause).min(deadline.at())).await;
            }
            if let Some(data) = &held.carried {
                let over = self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                self.answers(vec![over]).await?;
                continue;
            }
            self.give(&[Input::MouseMove { to: point, modifiers }], deadline).await?;
            if !held.is_settled {
                self.told_of_drags(deadline).await?;
                held.is_settled = from.distance(point) > MAY_START;
            }
            if let Some(data) = held.carried() {
                let enter = self.send_drag(DispatchDragEventType::DragEnter, point, data, drag, deadline);
                let over = self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                self.answers(vec![enter, over]).await?;
            }
        }
        let release = Input::MouseUp { at: to, button: MouseButton::Left, click_count: 1, modifiers };
        match &held.carried {
            Some(data) => {
                let drop = self.send_drag(DispatchDragEventType::Drop, to, data, drag, deadline);
                self.answers(vec![drop]).await?;
                self.give(&[release], deadline).await?;
                Ok(DragKind::DragAndDrop)
            }
            None => {
                self.give(&[release], deadline).await?;
                Ok(DragKind::Pointer)
            }
        }
    }

    /// Waits until the browser has told of a drag that the page has started: it may answer the move first. An answer
    /// of the process that shows the frame comes behind it.
    async fn told_of_drags(&self, deadline: Deadline) -> Result<(), Error> {
        let soon = deadline.at_most(&**self.clock(), A_FRAME_ANSWERS);
        let until = |home: &Session| if home.is_same(&self.session) { deadline } else { soon };
        let homes = self.state().homes();
        let asked: Vec<_> = homes.iter().map(|home| home.send(GetIsolateIdParams {}, until(home))).collect();
        for answer in asked {
            // A frame that is gone or hangs drags nothing.
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
    ) -> Pending<Taken> {
        let modifiers = drag.modifiers.bits();
        let command = DispatchDragEvent { kind, x: at.x, y: at.y, data: data.clone(), modifiers };
        self.session.send(command, deadline)
    }
}

/// A drag that is under way. Whatever becomes of it, and even if nobody waits for it any more, the button must not stay
/// down, nothing may go on being dragged, nor may later drags be held back.
struct Held<'p> {
    page: &'p ChromiumPage,
    at: Point,
    modifiers: Modifiers,
    deadline: Deadline,
    /// Tells when the browser begins to drag something; gone once the drag is over.
    started: Option<Subscription<DragIntercepted>>,
    /// What the browser drags.
    carried: Option<Value>,
    /// Whether the page will start no drag any more.
    is_settled: bool,
}

impl Held<'_> {
    /// What the browser is known to drag by now.
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

    /// The drag has ended as it should.
    fn over(mut self) -> Pending<Taken> {
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
            // A move that the page has not taken yet may still start one.
            None => {
                let homes = self.page.state().homes();
                self.page.session.send_then(release, move |_| abandoned.end_when_told(&homes, started));
            }
        }
        let expired = self.page.clock().sleep_until(self.deadline.at());
        self.page.leave_untaken([select(is_over, expired).map(drop).boxed()]);
    }
}

/// A drag nobody performs any more.
struct Abandoned {
    session: Session,
    release: DispatchMouseEventParams,
    over: oneshot::Sender<()>,
}

impl Abandoned {
    /// Ends it once every process of the page has had its chance to tell of a drag.
    fn end_when_told(self, homes: &[Session], started: Subscription<DragIntercepted>) {
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

    /// Has the browser give up what it drags; only then does it hear the mouse again.
    fn cancel(self, data: Value) {
        let DispatchMouseEventParams { x, y, modifiers, .. } = self.release;
        let (kind, modifiers) = (DispatchDragEventType::DragCancel, modifiers.unwrap_or_default());
        self.session.send_then(DispatchDragEvent { kind, x, y, data, modifiers }, drop);
        // The browser itself answers what ends this, so the page must have taken the release by then: a later gesture
        // would take it for its own.
        let release = self.release.clone();
        self.session.clone().send_then(release, move |_| self.end());
    }

    fn end(self) {
        let over = self.over;
        self.session.send_then(SetInterceptDragsParams::new(false), move |_| {
            // Nobody may wait for it.
            let _ = over.send(());
        });
    }
}
