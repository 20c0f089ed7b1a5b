//! Dragging. The browser hands an HTML drag and drop over to us as soon as the page starts one; from then on it is
//! driven by drag events instead of mouse events.

use chromiumoxide_cdp::cdp::browser_protocol::input::{
    DispatchDragEventParams, DispatchDragEventType, DragData, EventDragIntercepted, SetInterceptDragsParams,
};

use super::ChromiumPage;
use super::input::Taken;
use crate::cdp::{Pending, Subscription};
use crate::{Deadline, Drag, DragKind, Error, Input, MouseButton, Point};

impl ChromiumPage {
    pub(super) async fn perform_drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error> {
        self.refuse_if_blocked()?;
        let (Some(&from), Some(&to)) = (drag.path.first(), drag.path.last()) else {
            return Ok(DragKind::Pointer);
        };
        let mut started: Subscription<EventDragIntercepted> = self.session.subscribe();
        let mut held = Held { page: self, at: to, drag, deadline, carried: None, is_over: false };
        let intercepting = self.session.send(SetInterceptDragsParams::new(true), deadline);
        let result = self.drag_through(drag, from, to, &mut started, &mut held.carried, deadline).await;
        let stopped = held.end(result.is_err());
        self.answer(intercepting).await?;
        let kind = result?;
        self.answer(stopped).await?;
        Ok(kind)
    }

    async fn drag_through(
        &self,
        drag: &Drag,
        from: Point,
        to: Point,
        started: &mut Subscription<EventDragIntercepted>,
        carried: &mut Option<DragData>,
        deadline: Deadline,
    ) -> Result<DragKind, Error> {
        let modifiers = drag.modifiers;
        let press = [
            Input::MouseMove { to: from, modifiers },
            Input::MouseDown { at: from, button: MouseButton::Left, click_count: 1, modifiers },
        ];
        self.dispatch(&press, deadline).await?;
        let mut data: Option<DragData> = None;
        for (step, &point) in drag.path.iter().skip(1).enumerate() {
            if step > 0 && !drag.pause.is_zero() {
                let clock = self.clock();
                clock.sleep_until((clock.now() + drag.pause).min(deadline.at())).await;
            }
            match &data {
                None => {
                    self.dispatch(&[Input::MouseMove { to: point, modifiers }], deadline).await?;
                    // The browser tells of the drag before it answers the move that started it.
                    data = started.try_recv().map(|event| event.data);
                    if let Some(data) = &data {
                        *carried = Some(data.clone());
                        let enter =
                            self.send_drag(DispatchDragEventType::DragEnter, point, data, drag, deadline);
                        let over =
                            self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                        self.answers(vec![enter, over]).await?;
                    }
                }
                Some(data) => {
                    let over = self.send_drag(DispatchDragEventType::DragOver, point, data, drag, deadline);
                    self.answers(vec![over]).await?;
                }
            }
        }
        let release = Input::MouseUp { at: to, button: MouseButton::Left, click_count: 1, modifiers };
        match data {
            Some(data) => {
                let drop = self.send_drag(DispatchDragEventType::Drop, to, &data, drag, deadline);
                self.answers(vec![drop]).await?;
                self.dispatch(&[release], deadline).await?;
                Ok(DragKind::DragAndDrop)
            }
            None => {
                self.dispatch(&[release], deadline).await?;
                Ok(DragKind::Pointer)
            }
        }
    }

    fn send_drag(
        &self,
        kind: DispatchDragEventType,
        at: Point,
        data: &DragData,
        drag: &Drag,
        deadline: Deadline,
    ) -> Pending<Taken> {
        let command = DispatchDragEventParams {
            modifiers: Some(drag.modifiers.bits()),
            ..DispatchDragEventParams::new(kind, at.x, at.y, data.clone())
        };
        self.session.send(command, deadline).without_content()
    }
}

/// A drag that is under way. Whatever becomes of it, and even if nobody waits for it any more, the button must not stay
/// down nor later drags be held back.
struct Held<'p> {
    page: &'p ChromiumPage,
    at: Point,
    drag: &'p Drag,
    deadline: Deadline,
    /// What the browser drags.
    carried: Option<DragData>,
    is_over: bool,
}

impl Held<'_> {
    /// Lets go, and of the button too if it may be down.
    fn end(mut self, is_down: bool) -> Pending<Taken> {
        self.is_over = true;
        self.let_go(is_down)
    }

    fn let_go(&self, is_down: bool) -> Pending<Taken> {
        if is_down {
            let (at, button, modifiers) = (self.at, MouseButton::Left, self.drag.modifiers);
            let cancel = DispatchDragEventType::DragCancel;
            let carried = self.carried.as_ref();
            self.page.leave_untaken(
                carried.map(|data| self.page.send_drag(cancel, at, data, self.drag, self.deadline)),
            );
            let release = Input::MouseUp { at, button, click_count: 1, modifiers };
            self.page.leave_untaken([self.page.send_input(&release, self.deadline)]);
        }
        self.page.session.send(SetInterceptDragsParams::new(false), self.deadline).without_content()
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            std::mem::drop(self.let_go(true));
        }
    }
}
