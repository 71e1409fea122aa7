/** Small components of the pane; plain elements to keep it light. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'plain' | 'link';
}

export function Button({ variant = 'plain', className = '', ...props }: ButtonProps) {
  return <button type="button" {...props} className={`rs-pane-button rs-pane-${variant} ${className}`.trim()} />;
}

export function Problem({ text }: { text: string }) {
  return text === '' ? null : (
    <p className="rs-pane-note rs-pane-danger" role="alert">
      {text}
    </p>
  );
}

export function Note({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'warning' | 'success' }) {
  return (
    <div className={`rs-pane-note rs-pane-${tone}-note`} role="status">
      {children}
    </div>
  );
}

interface LabelledProps {
  label: string;
  /** Muted text beside the label. */
  kind?: string;
  id: string;
  hint?: string;
  children: ReactNode;
}

export function Labelled({ label, kind, id, hint, children }: LabelledProps) {
  return (
    <div className="rs-pane-field">
      <div className="rs-pane-label">
        <label htmlFor={id}>{label}</label>
        {kind && <span className="rs-muted">{kind}</span>}
      </div>
      {children}
      {hint && <div className="rs-pane-hint rs-muted">{hint}</div>}
    </div>
  );
}
