/** A newcomer's progress, stored on their computer. */
import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';
import { readWelcome, type WelcomeState } from './welcome-steps.ts';

const keyOf = (userName: string): string => `welcome.${userName.toLowerCase()}`;

/** State of the user who was requested last. */
const useWelcomeStore = create<{ userName: string; state: WelcomeState } | Record<string, never>>(() => ({}));

export function useWelcome(userName: string): WelcomeState {
  const latest = useWelcomeStore();
  return latest.userName === userName ? latest.state : readWelcome(bridge.shared.get(keyOf(userName)));
}

export function changeWelcome(userName: string, change: (before: WelcomeState) => WelcomeState): void {
  const state = change(readWelcome(bridge.shared.get(keyOf(userName))));
  bridge.shared.set(keyOf(userName), JSON.stringify(state));
  useWelcomeStore.setState({ userName, state });
}
