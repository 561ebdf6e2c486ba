/**
 * What the model is offered by opencode 1.18.33 without any settings, and how it names the tools of servers: `lab_ping`. Nothing but
 * the underscore tells one from a tool of another name, so whatever has one and is not its own is taken for a server's. Checked by
 * `test/lab/tools.lab.ts` against what the program sends. Somebody can be asked only at a terminal; `apply_patch` depends on the model.
 */
import { carriedServer, type Toolbox } from '../../core/transcript/tools.ts';
import { ownCall } from './tools.ts';

const own: Toolbox['own'] = {
  bash: ['shell'],
  read: ['read-file', 'see-image'],
  write: ['write-file'],
  edit: ['edit-file'],
  grep: ['search-text'],
  glob: ['find-files'],
  webfetch: ['fetch-page'],
  task: ['start-agent'],
  skill: ['load-skill'],
  todowrite: ['plan'],
  question: ['ask-person'],
};

const also: Toolbox['own'] = {
  apply_patch: ['edit-file', 'write-file'],
  list: ['list-folder'],
  websearch: ['search-web'],
  lsp: [],
  plan_exit: ['plan'],
};

export const toolbox: Toolbox = {
  own,
  also,
  nameOf: (call) => ownCall(call).tool,
  serverOf: (tool) =>
    Object.hasOwn(own, tool) || Object.hasOwn(also, tool)
      ? null
      : (carriedServer(tool) ?? /^([^_]+)_/.exec(tool)?.[1] ?? null),
};
