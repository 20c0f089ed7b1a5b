// The table of functions that the driver can call in the page, by their name on the wire.

import { a11y_facts } from './a11y/facts.js';
import { a11y_watch } from './a11y/live.js';
import { action_aftermath } from './action/aftermath.js';
import { action_at_focus } from './action/at_focus.js';
import { action_at_point } from './action/at_point.js';
import { action_begun } from './action/begun.js';
import { action_confirm } from './action/confirm.js';
import { action_prepare } from './action/prepare.js';
import { attachment_sync } from './attachment/sync.js';
import { browser_extract_elements } from './browser/extract_elements.js';
import { clipboard_copied, clipboard_prepare_copy } from './clipboard/copy.js';
import { clipboard_paste } from './clipboard/paste.js';
import { clipboard_read } from './clipboard/read.js';
import { clipboard_write } from './clipboard/write.js';
import { dom_extract } from './dom/extract.js';
import { dom_focus } from './dom/focus.js';
import { dom_focused } from './dom/focused.js';
import { dom_list_sections } from './dom/list_sections.js';
import { dom_markup } from './dom/markup.js';
import { dom_observe_attributes } from './dom/observe/attributes.js';
import { dom_observe_visible } from './dom/observe/visible.js';
import { dom_snapshot_text } from './dom/snapshot_text.js';
import { drift_candidates } from './drift/candidates.js';
import { drift_page } from './drift/page.js';
import { drift_sightings } from './drift/sightings.js';
import { form_checked } from './form/checked.js';
import { form_files } from './form/files.js';
import { form_forbidden } from './form/forbidden.js';
import { form_select_option } from './form/select_option.js';
import { form_submit } from './form/submit.js';
import { frame_enter } from './frame/enter.js';
import { frame_owner } from './frame/owner.js';
import { frame_pass } from './frame/pass.js';
import { frame_under } from './frame/under.js';
import { keyboard_reading } from './keyboard/reading.js';
import { locator_element_info } from './locator/element_info.js';
import { locator_resolve } from './locator/resolve.js';
import { locator_tally } from './locator/tally.js';
import { locator_text_content } from './locator/text_content.js';
import { locator_value } from './locator/value.js';
import { locator_wait_for } from './locator/wait_for.js';
import { overlay_close, overlay_launch, overlay_open } from './overlay/open.js';
import { page_address } from './page/address.js';
import { page_arrival } from './page/arrival.js';
import { page_change } from './page/change.js';
import { page_fetch } from './page/fetch.js';
import { page_frames } from './page/frames.js';
import { page_info } from './page/info.js';
import { storage_read } from './storage/read.js';
import { storage_write } from './storage/write.js';
import { text_aim } from './text/aim.js';
import { text_poised } from './text/poised.js';
import { text_select } from './text/select.js';
import { text_selection } from './text/selection.js';
import { text_set_value } from './text/set_value.js';
import { text_verify } from './text/verify.js';
import { tree_adopt } from './tree/adopt.js';
import { viewport_extent } from './viewport/extent.js';
import { viewport_scroll } from './viewport/scroll.js';
import { viewport_show } from './viewport/show.js';
import { pointer_wheel } from './viewport/wheel.js';

/**
 * Every function the driver can call, by name.
 *
 * @type {Record<string, (args: any, call: Call) => Answer | Promise<Answer>>}
 */
export const FUNCTIONS = {
  'a11y.facts': a11y_facts,
  'a11y.watch': a11y_watch,
  'action.aftermath': action_aftermath,
  'action.at_focus': action_at_focus,
  'action.at_point': action_at_point,
  'action.begun': action_begun,
  'action.confirm': action_confirm,
  'action.prepare': action_prepare,
  'attachment.sync': attachment_sync,
  'browser.extract_elements': browser_extract_elements,
  'clipboard.copied': clipboard_copied,
  'clipboard.paste': clipboard_paste,
  'clipboard.prepare_copy': clipboard_prepare_copy,
  'clipboard.read': clipboard_read,
  'clipboard.write': clipboard_write,
  'dom.extract': dom_extract,
  'dom.focus': dom_focus,
  'dom.focused': dom_focused,
  'dom.list_sections': dom_list_sections,
  'dom.markup': dom_markup,
  'dom.observe.attributes': dom_observe_attributes,
  'dom.observe.visible': dom_observe_visible,
  'dom.snapshot_text': dom_snapshot_text,
  'drift.candidates': drift_candidates,
  'drift.page': drift_page,
  'drift.sightings': drift_sightings,
  'form.checked': form_checked,
  'form.files': form_files,
  'form.forbidden': form_forbidden,
  'form.select_option': form_select_option,
  'form.submit': form_submit,
  'frame.enter': frame_enter,
  'frame.owner': frame_owner,
  'frame.pass': frame_pass,
  'frame.under': frame_under,
  'keyboard.reading': keyboard_reading,
  'locator.element_info': locator_element_info,
  'locator.resolve': locator_resolve,
  'locator.tally': locator_tally,
  'locator.text_content': locator_text_content,
  'locator.value': locator_value,
  'locator.wait_for': locator_wait_for,
  'overlay.close': overlay_close,
  'overlay.open': overlay_open,
  'overlay.register_launcher': overlay_launch,
  'page.address': page_address,
  'page.arrival': page_arrival,
  'page.change': page_change,
  'page.fetch': page_fetch,
  'page.frames': page_frames,
  'page.info': page_info,
  'pointer.wheel': pointer_wheel,
  'storage.read': storage_read,
  'storage.write': storage_write,
  'text.aim': text_aim,
  'text.poised': text_poised,
  'text.select': text_select,
  'text.selection': text_selection,
  'text.set_value': text_set_value,
  'text.verify': text_verify,
  'tree.adopt': tree_adopt,
  'viewport.extent': viewport_extent,
  'viewport.scroll': viewport_scroll,
  'viewport.show': viewport_show,
};
