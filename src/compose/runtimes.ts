/** The programs agents run in: each part is loaded when it is first asked for. */
export { loadReader, loadRuntimes, loadSetups } from '../runtimes/load.ts';
