import { render } from 'preact';
import './style/base.css';
import './style/shell.css';
import './style/board.css';
import { listen } from './api/live.ts';
import { startClock } from './parts/clock.ts';
import { followCounts } from './shell/counts.ts';
import { followLinks } from './shell/here.ts';
import { listenForKeys } from './shell/keys.ts';
import { loadMe } from './shell/me.ts';
import { Shell } from './shell/shell.tsx';

const root = document.querySelector('#app');
if (root !== null) {
  listen();
  followLinks();
  listenForKeys();
  startClock();
  followCounts();
  void loadMe();
  root.replaceChildren();
  render(<Shell />, root);
}
