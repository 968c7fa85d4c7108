import "fvtt-types";

declare module "fvtt-types/configuration" {
  interface AssumeHookRan {
    ready: never;
  }

  interface SettingConfig {
    "aagm.mode": string;
    "aagm.multitasking": boolean;
    "aagm.mirrorEnabled": boolean;
    "aagm.mirrorPath": string;
    "aagm.mirrorContextualSort": boolean;
  }

  namespace Hooks {
    interface HookConfig {
      [name: `aagm.${string}`]: (...args: any[]) => void;
    }
  }
}
