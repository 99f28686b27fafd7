/** Examples for those who consume the topics of the contract; see docs/contract.md. */
package dev.restitch.sandbox.example;
