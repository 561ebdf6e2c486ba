/**
 * What the model is offered by opencode 1.18.33 without any settings, and how it names the tools of servers: `lab_ping`. Nothing but
 * the underscore tells one from a tool of another name, so whatever has one and is not its own is taken for a server's.
 */
import type { Toolbox } from '../../core/transcript/tools.ts';
import { ownCall } from './tools.ts';

const own: Toolbox['own'] = {
  bash: ['shell'],
  read: ['read-file', 'see-image'],
  write: ['write-file'],
  edit: ['edit-file'],
  apply_patch: ['edit-file', 'write-file'],
  grep: ['search-text'],
  glob: ['find-files'],
  list: ['list-folder'],
  webfetch: ['fetch-page'],
  task: ['start-agent'],
  skill: ['load-skill'],
  todowrite: ['plan'],
  question: ['ask-person'],
};

export const toolbox: Toolbox = {
  own,
  nameOf: (call) => ownCall(call).tool,
  serverOf: (tool) => (Object.hasOwn(own, tool) ? null : (/^([^_]+)_/.exec(tool)?.[1] ?? null)),
};
