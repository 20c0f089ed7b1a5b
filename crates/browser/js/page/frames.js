// `page.frames`: waits until the page has handled what it received, as far as it does so within two frames.

import { ok } from '../answer/answer.js';
import { next_frame } from '../wait/next_frame.js';

/** Waits for two animation frames. Pages that throttle their handlers do so by frames. */
export async function page_frames() {
  await next_frame();
  await next_frame();
  return ok({});
}
