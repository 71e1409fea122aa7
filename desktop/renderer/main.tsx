import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { readAddInRequest } from './app/add-in.ts';
import { redeemStartToken } from './app/ott-login.ts';
import { watchSession } from './app/session.ts';
import { watchTheme } from './app/theme.ts';
import '@blueprintjs/core/lib/css/blueprint.css';
import './ui/base.css';

watchTheme();
watchSession();
readAddInRequest();
void redeemStartToken();
createRoot(document.getElementById('root')!).render(<App />);
