"""The continuation study (EnvTraverse): what does it do to an agent that it may stop, report, and be resumed?"""
