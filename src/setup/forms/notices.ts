import { programs } from '../../core/resume/runtime-names.ts';

const asking = programs.filter(({ asksTrust }) => asksTrust === true).map(({ title }) => title);

/** Said by each program that it is true of, and shown once. */
export const folderTrust = `What lies in a repository ${asking.slice(0, -1).join(', ')} and ${asking.at(-1)} use only in a folder that you trust: they ask when they are started there.`;
