import { action_confirm } from './action/gesture.js';
import { action_prepare } from './action/prepare.js';
import { locator_element_info } from './locator/element_info.js';
import { locator_text_content } from './locator/text_content.js';
import { locator_value } from './locator/value.js';
import { locator_wait_for } from './locator/wait_for.js';
import { page_info } from './page/info.js';

/**
 * Every function the driver may call, by name.
 *
 * @type {Record<string, (args: any, call: Call) => Answer | Promise<Answer>>}
 */
export const FUNCTIONS = {
  'action.confirm': action_confirm,
  'action.prepare': action_prepare,
  'locator.element_info': locator_element_info,
  'locator.text_content': locator_text_content,
  'locator.value': locator_value,
  'locator.wait_for': locator_wait_for,
  'page.info': page_info,
};
